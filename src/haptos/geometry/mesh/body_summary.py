"""What a body's mesh amounts to: counts, size, mass distribution, and the grid it asks for."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.geometry.mesh.facet_measures import FacetSizes, facet_areas, facet_sizes
from haptos.geometry.mesh.mass_properties import (
    MassProperties,
    mass_properties,
    principal_axes,
    sphericity,
)
from haptos.geometry.mesh.mesh_defects import MeshDefects, mesh_defects

CITES: tuple[str, ...] = ("VanWal2018",)


@dataclass(frozen=True, eq=False)
class BodySummary:
    """Measures of a closed mesh, in its own axes; homogeneous mass.

    report      counts, Euler number and defects
    mass        volume [m^3], centroid [m], inertia per density [m^5]
    area        of the surface [m^2]        sphericity  [-], 1 for a ball
    extent      [m], (3,), of the bounding box along the axes of the mesh
    moments     principal moments per mass [m^2], (3,), rising
    dcm_PA      principal axes as rows, in the axes of the mesh
    sizes       of the facets: mean side, advised grid spacing, feature ceiling
    Source: sphericity and facet sizes [VanWal2018].
    """

    report: MeshDefects
    mass: MassProperties
    area: float
    sphericity: float
    extent: NDArray[np.float64]
    moments: NDArray[np.float64]
    dcm_PA: NDArray[np.float64]
    sizes: FacetSizes

    @property
    def mean_radius(self) -> float:
        """Radius [m] of the ball of the same volume."""
        return float(np.cbrt(3.0 * self.mass.volume / (4.0 * math.pi)))

    @property
    def axis_tilt(self) -> float:
        """Angle [rad] between the z axis and the axis of the largest moment, 0 to pi/2."""
        return float(math.acos(min(1.0, abs(self.dcm_PA[2, 2]))))

    def as_json(self) -> dict[str, Any]:
        """Plain numbers and texts, the unit in every key."""
        return {
            "vertices": self.report.vertices,
            "edges": self.report.edges,
            "facets": self.report.facets,
            "euler_number": self.report.euler_number,
            "genus": self.report.genus,
            "defects": {k: d.count for k, d in self.report.defects.items() if d.count},
            "volume_m3": self.mass.volume,
            "area_m2": self.area,
            "sphericity": self.sphericity,
            "mean_radius_m": self.mean_radius,
            "extent_m": self.extent.tolist(),
            "principal_moments_per_mass_m2": self.moments.tolist(),
            "principal_axes": self.dcm_PA.tolist(),
            "axis_tilt_deg": math.degrees(self.axis_tilt),
            "mean_facet_side_m": self.sizes.mean_side,
            "deviation_facet_side_m": self.sizes.deviation_side,
            "advised_grid_spacing_m": self.sizes.advised_spacing,
            "feature_ceiling_m": self.sizes.feature_ceiling,
        }


def body_summary(vertices: ArrayLike, faces: ArrayLike) -> BodySummary:
    """Measures of a closed mesh [m]; self-intersections are not looked for."""
    points = np.asarray(vertices, dtype=float)
    mass = mass_properties(points, faces)
    moments, dcm_PA = principal_axes(mass.inertia_per_mass)
    return BodySummary(
        mesh_defects(points, faces, self_intersections=False),
        mass,
        float(facet_areas(points, faces).sum()),
        sphericity(points, faces),
        np.ptp(points, axis=0),
        moments,
        dcm_PA,
        facet_sizes(points, faces),
    )
