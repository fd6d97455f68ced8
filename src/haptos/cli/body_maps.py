"""The files of `haptos body --out`: figures, mesh with numbers, table; the summary comes last."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from haptos.cli.output import NEEDED_SPACE
from haptos.core.disk_space import check_room
from haptos.core.errors import StorageError
from haptos.core.whole_files import TEMPORARY, remove_leftovers, storage_errors, write_whole

if TYPE_CHECKING:
    import numpy as np

    from haptos.cli.body import Physics
    from haptos.geometry.mesh.body_mesh import BodyMesh
    from haptos.geometry.mesh.body_summary import BodySummary

SUMMARY = "body.json"
MESH_VTP, MESH_PLY, TABLE = "body.vtp", "body.ply", "facets.parquet"
DRAWN = (  # maps that get figures, of those there are
    "slope_deg",
    "geopotential_m2_per_s2",
    "effective_gravity_m_per_s2",
    "roughness_angle_deg",
    "radius_m",
    "relief_m",
    "liftoff_speed_m_per_s",
    "wheel_limit_m_per_s",
    "hop_limit_m_per_s",
)
GRAVITY_SHARE = 0.7  # [-] of the time, for the progress bar


def claim_directory(directory: Path) -> None:
    """Make the directory; refuse one that holds anything but an earlier `haptos body`."""
    if str(directory) in ("", "."):
        found, hint = "no directory of its own", "--out out/mine"
        raise StorageError("--out", found, "a directory's name", hint)
    if directory.is_dir() and not (directory / SUMMARY).exists():
        with storage_errors(directory):
            names = sorted(path.name for path in directory.iterdir())
        strangers = [name for name in names if not name.startswith(TEMPORARY)]
        if strangers:
            found = f"files that are not of a body ({strangers[0]})"
            raise StorageError(str(directory), found, "a new or empty directory", "another --out")
    with storage_errors(directory):
        directory.mkdir(parents=True, exist_ok=True)
    check_room(directory, NEEDED_SPACE)
    remove_leftovers(directory)


def write_maps(
    directory: Path,
    name: str,
    mesh: BodyMesh,
    summary: BodySummary,
    physics: Physics,
    facts: dict[str, Any],
    *,
    roughness: float | None,
    gravity_facets: int,
    quiet: bool,
) -> dict[str, Any]:
    """Write all files; what the maps hold, for the summary."""
    from haptos.cli.body_speeds import SPEEDS, speed_maps
    from haptos.cli.progress import progress_bar
    from haptos.environment.surface_maps import MAPS, shown, surface_maps
    from haptos.geometry.mesh.mesh_export import write_ply, write_vtp

    (directory / SUMMARY).unlink(missing_ok=True)  # its presence says that all others are there
    source = _gravity_mesh(mesh, physics, gravity_facets)
    with progress_bar(f"maps of {Path(name).name}", quiet=quiet) as progress:
        found = surface_maps(
            mesh.vertices, mesh.faces, density=physics.density,
            omega=(0.0, 0.0, physics.spin or 0.0), gravity_mesh=source,
            roughness_radius=roughness, progress=_part(progress, 0.0, GRAVITY_SHARE),
        )  # fmt: skip
        maps = dict(shown(key, values) for key, values in found.items())
        speeds = speed_maps(mesh, physics, source)
        maps |= speeds
        write_vtp(directory / MESH_VTP, mesh.vertices, mesh.faces, maps)
        write_ply(directory / MESH_PLY, mesh.vertices, mesh.faces, maps)
        write_whole(directory / TABLE, table_bytes(mesh, maps))
        figures = draw(directory, name, mesh, maps, _part(progress, GRAVITY_SHARE, 1.0))
    described = {
        key: {
            "unit": "deg" if kind.unit == "rad" else kind.unit,
            "description": kind.description,
            **_spread(maps[key]),
        }
        for key, kind in ((shown(k, [])[0], MAPS[k]) for k in found)
    }
    described |= {
        key: {"unit": "m/s", "description": SPEEDS[key], **_spread(values)}
        for key, values in speeds.items()
    }
    used = 0 if physics.density is None else len(mesh.faces if source is None else source[1])
    record = {
        "values": described,
        "gravity_facets": used,
        "files": [MESH_VTP, MESH_PLY, TABLE, *figures],
    }
    write_whole(directory / SUMMARY, json.dumps({**facts, "maps": record}, indent=2) + "\n")
    return record


def table_bytes(mesh: BodyMesh, maps: dict[str, np.ndarray]) -> bytes:
    """Parquet table, a row per facet: centre, normal, latitude, longitude and all maps."""
    import numpy as np

    from haptos.geometry.mesh.facet_measures import facet_centres
    from haptos.geometry.mesh.tessellation import face_normals
    from haptos.geometry.shape.spherical_harmonics import latitude_longitude
    from haptos.results.table_files import parquet_of

    centres = facet_centres(mesh.vertices, mesh.faces)
    normals = face_normals(mesh.vertices, mesh.faces)
    latitude, longitude = latitude_longitude(centres)
    columns: dict[str, Any] = {"facet": np.arange(len(centres))}
    columns |= {f"{axis}_m": centres[:, k] for k, axis in enumerate("xyz")}
    columns |= {f"normal_{axis}": normals[:, k] for k, axis in enumerate("xyz")}
    columns |= {"latitude_deg": np.degrees(latitude), "longitude_deg": np.degrees(longitude)}
    return parquet_of(columns | maps)


def draw(
    directory: Path,
    name: str,
    mesh: BodyMesh,
    maps: dict[str, np.ndarray],
    progress: Callable[[float], None] | None,
) -> list[str]:
    """Write the figures; their names."""
    from haptos.view.map_figures import body_figure, facets_seen, histogram_figure, map_figure

    vertices, faces = mesh.vertices, mesh.faces
    seen = facets_seen(vertices, faces)
    title = Path(name).stem
    names: list[str] = []
    drawn = [key for key in DRAWN if key in maps]
    for number, key in enumerate(drawn):
        figures = {
            "map": map_figure(vertices, faces, maps[key], key, title=title, seen=seen),
            "mollweide": map_figure(
                vertices, faces, maps[key], key, projection="mollweide", title=title, seen=seen
            ),
            "body": body_figure(vertices, faces, maps[key], key, title=title),
            "histogram": histogram_figure(maps[key], maps["facet_area_m2"], key, title=title),
        }
        for kind, figure in figures.items():
            names.append(_saved(directory, figure, f"{key}-{kind}.png"))
        if progress is not None:
            progress((number + 1) / len(drawn))
    figure = histogram_figure(maps["facet_side_m"], None, "facet_side_m", title=title)
    names.append(_saved(directory, figure, "facet_side_m-histogram.png"))
    return names


def _saved(directory: Path, figure: Any, name: str) -> str:
    from haptos.view.style import house_style

    buffer = io.BytesIO()
    with house_style():
        figure.savefig(buffer, format="png")
    write_whole(directory / name, buffer.getvalue())
    return name


def _gravity_mesh(mesh: BodyMesh, physics: Physics, most: int) -> Any:
    """A coarser mesh for gravity where the body's own is finer than asked, or None."""
    if physics.density is None or len(mesh.faces) <= most:
        return None
    from haptos.environment.gravity_resolution import coarser_mesh

    return coarser_mesh(mesh.vertices, mesh.faces, most)


def _part(
    progress: Callable[[float], None] | None, low: float, high: float
) -> Callable[[float], None] | None:
    """Callback for a part of the work."""
    if progress is None:
        return None
    return lambda share: progress(low + (high - low) * share)


def _spread(values: np.ndarray) -> dict[str, float]:
    import numpy as np

    finite = values[np.isfinite(values)]
    if not finite.size:
        return {}
    names = ("least", "median", "greatest")
    return dict(zip(names, np.percentile(finite, [0, 50, 100]).tolist(), strict=True))
