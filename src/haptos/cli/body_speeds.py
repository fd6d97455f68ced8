"""Speed limits beside the slope map of `haptos body`, where a rover is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

    from haptos.cli.body import Physics
    from haptos.geometry.mesh.body_mesh import BodyMesh

SPEEDS = {
    "liftoff_speed_m_per_s": "least speed along the ground that leaves it; no number for none",
    "wheel_limit_m_per_s": "half of what loses its grip over a ridge; 0 where the wheels slip",
    "hop_limit_m_per_s": "half of what has the energy of escape in some direction",
}


def speed_maps(mesh: BodyMesh, physics: Physics, gravity_mesh: Any) -> dict[str, np.ndarray]:
    """Name -> value per facet, the least of its corners; nothing without a rover and a mass."""
    if physics.wheel_radius is None or physics.density is None:
        return {}
    import numpy as np

    from haptos.dynamics.liftoff.liftoff_map import liftoff_map
    from haptos.dynamics.liftoff.speed_limits import speed_limits
    from haptos.environment.gravity_polyhedron import PolyhedronField
    from haptos.geometry.mesh.mass_properties import mass_properties
    from haptos.geometry.shape.curvature_polyhedron import mesh_curvature

    vertices, faces = (mesh.vertices, mesh.faces) if gravity_mesh is None else gravity_mesh
    # The coarser mesh has another volume; the mass is that of the finer.
    share = (
        mass_properties(mesh.vertices, mesh.faces).volume / mass_properties(vertices, faces).volume
    )
    found = liftoff_map(
        mesh_curvature(mesh.vertices, mesh.faces).ground,
        PolyhedronField(vertices, faces, physics.density * share),
        (0.0, 0.0, physics.spin or 0.0),
    )
    limits = speed_limits(found, wheel_radius=physics.wheel_radius, friction=physics.friction)
    values = (found.least, limits.wheel, limits.hop)
    least = (corners[mesh.faces].min(axis=1) for corners in values)
    return {
        key: np.where(np.isfinite(facets), facets, np.nan)
        for key, facets in zip(SPEEDS, least, strict=True)
    }
