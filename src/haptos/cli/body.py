"""`haptos body`: what a shape file or a built-in body is, and maps of its surface."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from haptos.core.errors import ConfigError
from haptos.core.units import GRAVITATIONAL_CONSTANT, HOUR, LENGTH_UNITS

if TYPE_CHECKING:
    from haptos.geometry.mesh.body_mesh import BodyMesh
    from haptos.geometry.mesh.body_summary import BodySummary

DEFAULT_LEVEL = 5  # of a built-in body: 10,242 vertices
GRAVITY_FACETS = 20_000  # of the mesh gravity is taken from; about 1 % at the surface
FRICTION = 0.5  # [-] of wheels, assumed


@dataclass(frozen=True)
class Physics:
    """What the mesh does not tell: density [kg/m^3] and spin [rad/s]; None is not given.

    wheel_radius  [m] and friction [-] of a vehicle whose speed limits are mapped; None for no vehicle
    """

    density: float | None
    spin: float | None
    wheel_radius: float | None = None
    friction: float = FRICTION


def body(
    name: str = typer.Argument(metavar="NAME|FILE", help="Built-in body, or a shape file."),
    unit: str | None = typer.Option(
        None, "--unit", metavar="UNIT", help="Length unit of the file: m, km, cm, mm. No default."
    ),
    level: int | None = typer.Option(
        None, "--level", metavar="N", help="Fineness of a built-in body, 2 to 8 (default: 5)."
    ),
    repair: bool = typer.Option(False, "--repair", help="Repair what has one obvious cure."),
    density: float | None = typer.Option(None, "--density-kg-per-m3", help="Of the whole body."),
    mu: float | None = typer.Option(None, "--mu-m3-per-s2", help="G M, instead of the density."),
    period: float | None = typer.Option(
        None, "--period-h", help="Of the spin about z through the centre of mass."
    ),
    wheel_radius: float | None = typer.Option(
        None, "--wheel-radius-m", help="Of a rover: map its speed limits, and those of hops, too."
    ),
    friction: float = typer.Option(FRICTION, "--friction", help="Of its wheels on the ground."),
    roughness: float | None = typer.Option(
        None, "--roughness-radius-m", help="Of a neighbourhood (default: three mean facet sides)."
    ),
    gravity_facets: int = typer.Option(
        GRAVITY_FACETS, "--gravity-facets", metavar="N", help="Finest mesh to take gravity from."
    ),
    out: Path | None = typer.Option(
        None, "--out", metavar="DIR", help="Write maps: figures, VTP, PLY and a table."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print everything as one JSON object."),
    quiet: bool = typer.Option(False, "--quiet", "-q", help="Print nothing but errors."),
) -> None:
    """Tell what a body's mesh amounts to, and draw maps of its surface."""
    from haptos.cli.body_maps import claim_directory, write_maps
    from haptos.geometry.mesh.body_summary import body_summary

    _require_positive("--density-kg-per-m3", density)
    _require_positive("--mu-m3-per-s2", mu)
    _require_positive("--period-h", period)
    _require_positive("--wheel-radius-m", wheel_radius)
    _require_positive("--friction", friction)
    _require_positive("--roughness-radius-m", roughness)
    _require_positive("--gravity-facets", gravity_facets)
    _require_one_mass(density, mu, period, wheel_radius)
    if out is not None:
        claim_directory(out)
    mesh = loaded(name, unit, level, repair=repair)
    summary = body_summary(mesh.vertices, mesh.faces)
    physics = replace(
        _physics(summary, density, mu, period), wheel_radius=wheel_radius, friction=friction
    )
    facts = _facts(name, mesh, summary, physics)
    if not (as_json or quiet):
        print(text(facts))
    if out is not None:
        facts["maps"] = write_maps(
            out, name, mesh, summary, physics, facts,
            roughness=roughness, gravity_facets=gravity_facets, quiet=quiet or as_json,
        )  # fmt: skip
    if as_json:
        print(json.dumps(facts, indent=2))
    elif out is not None and not quiet:
        print(map_text(facts["maps"]))
        print(f"stored in {out}")


def loaded(name: str, unit: str | None, level: int | None, *, repair: bool) -> BodyMesh:
    """A built-in body by name, or the body in a file, about its centre of mass."""
    from haptos.geometry.mesh.body_mesh import load_body_mesh
    from haptos.geometry.mesh.mesh_files import FORMATS
    from haptos.geometry.mesh.procedural_bodies import BODIES

    if name in BODIES:
        if unit is not None or repair:
            option = "--unit" if unit is not None else "--repair"
            found = f"a built-in body, '{name}'"
            raise ConfigError(option, found, "files only", f"leave it out, or give ./{name}")
        return _built_in(name, DEFAULT_LEVEL if level is None else level)
    if not Path(name).exists():
        allowed = f"{', '.join(BODIES)}, or a file ({', '.join(FORMATS)})"
        raise ConfigError(name, "no built-in body and no file of that name", allowed, "bilobe")
    if level is not None:
        found = "a file, which has the fineness it has"
        raise ConfigError("--level", found, "built-in bodies only", "leave it out")
    if unit not in LENGTH_UNITS:
        found = "no unit" if unit is None else f"'{unit}'"
        hint = "--unit km, as most shape models are; look it up where the file comes from"
        raise ConfigError("--unit", found, ", ".join(LENGTH_UNITS), hint)
    return load_body_mesh(name, unit, repair=repair)


def _built_in(name: str, level: int) -> BodyMesh:
    import numpy as np

    from haptos.geometry.mesh.body_mesh import BodyMesh
    from haptos.geometry.mesh.mass_properties import mass_properties
    from haptos.geometry.mesh.mesh_defects import mesh_defects
    from haptos.geometry.mesh.procedural_bodies import procedural_body

    vertices, faces = procedural_body(name, level)
    volume = mass_properties(vertices, faces).volume
    report = mesh_defects(vertices, faces, self_intersections=False)
    said = (
        f"built-in body, level {level}: about its centre of mass, along its principal axes",
        *report.sentences()[:2],
    )
    return BodyMesh(vertices, faces, np.zeros(3), np.zeros(3), np.eye(3), volume, 0, said)


def _require_positive(option: str, value: float | None) -> None:
    if value is not None and not (math.isfinite(value) and value > 0.0):
        raise ConfigError(option, f"{value:g}", "> 0, finite", "check its unit")


def _require_one_mass(
    density: float | None, mu: float | None, period: float | None, wheel_radius: float | None
) -> None:
    if density is not None and mu is not None:
        found = "a density beside it"
        raise ConfigError("--mu-m3-per-s2", found, "one of the two", "leave out one")
    if period is not None and density is None and mu is None:
        found = "a spin of a body without mass"
        raise ConfigError("--period-h", found, "with a mass", "add --density-kg-per-m3")
    if wheel_radius is not None and density is None and mu is None:
        found = "a rover on a body without mass"
        raise ConfigError("--wheel-radius-m", found, "with a mass", "add --density-kg-per-m3")


def _physics(
    summary: BodySummary, density: float | None, mu: float | None, period: float | None
) -> Physics:
    if mu is not None:
        density = mu / (GRAVITATIONAL_CONSTANT * summary.mass.volume)
    return Physics(density, None if period is None else 2.0 * math.pi / (HOUR * period))


def _facts(name: str, mesh: BodyMesh, summary: BodySummary, physics: Physics) -> dict[str, Any]:
    """Everything known about the body, the unit in every key."""
    facts: dict[str, Any] = {"body": name, "messages": list(mesh.messages)}
    facts |= summary.as_json()
    facts["centre_of_mass_in_file_m"] = mesh.offset_m.tolist()
    if physics.density is not None:
        mass = physics.density * summary.mass.volume
        facts["density_kg_per_m3"] = physics.density
        facts["mass_kg"] = mass
        facts["mu_m3_per_s2"] = GRAVITATIONAL_CONSTANT * mass
    if physics.spin is not None:
        longest = math.sqrt(float((mesh.vertices[:, :2] ** 2).sum(axis=1).max()))
        facts["spin_rad_per_s"] = physics.spin
        # of the rate of a stone in orbit at the largest distance from the axis, about a point mass
        facts["spin_share"] = physics.spin * math.sqrt(longest**3 / facts["mu_m3_per_s2"])
    return facts


def text(facts: dict[str, Any]) -> str:
    """The same for people, one line each."""
    extent = " x ".join(f"{x:.6g}" for x in facts["extent_m"])
    moments = ", ".join(f"{x:.6g}" for x in facts["principal_moments_per_mass_m2"])
    defects = ", ".join(f"{n} {k.replace('_', ' ')}" for k, n in facts["defects"].items())
    rows = [
        ("defects", defects or "none (facets that cut each other were not looked for)"),
        ("extent", f"{extent} m"),
        ("volume", f"{facts['volume_m3']:.6g} m^3, mean radius {facts['mean_radius_m']:.6g} m"),
        ("area", f"{facts['area_m2']:.6g} m^2, sphericity {facts['sphericity']:.4f}"),
        ("moments per mass", f"{moments} m^2"),
        *(
            (f"principal axis {k}", "({:.6f}, {:.6f}, {:.6f})".format(*axis))
            for k, axis in enumerate(facts["principal_axes"], start=1)
        ),
        ("largest axis", f"{facts['axis_tilt_deg']:.3g} deg from z"),
        (
            "facet side",
            f"{facts['mean_facet_side_m']:.4g} m, deviation {facts['deviation_facet_side_m']:.4g} m",
        ),
        ("advised grid", f"spacing {facts['advised_grid_spacing_m']:.4g} m"),
        ("features to add", f"up to {facts['feature_ceiling_m']:.4g} m"),
    ]
    if "mass_kg" in facts:
        words = f"{facts['mass_kg']:.6g} kg, mu {facts['mu_m3_per_s2']:.6g} m^3/s^2, "
        rows.append(("mass", words + f"density {facts['density_kg_per_m3']:.6g} kg/m^3"))
    if "spin_rad_per_s" in facts:
        words = f"{facts['spin_rad_per_s']:.6g} rad/s, {100.0 * facts['spin_share']:.3g} % of"
        rows.append(
            ("spin", words + " that of an orbit at the longest radius, about a point of its mass")
        )
    width = max(len(label) for label, _ in rows)
    lines = [f"  {label:<{width}}  {words}" for label, words in rows]
    return "\n".join([facts["body"], *(f"  {said}" for said in facts["messages"]), *lines])


def map_text(maps: dict[str, Any]) -> str:
    """Least, middle and greatest value of each map."""
    rows = maps["values"]
    width = max(len(key) for key in rows)
    lines = [
        f"  {key:<{width}}  {row['least']:.4g} / {row['median']:.4g} / {row['greatest']:.4g}"
        for key, row in rows.items()
    ]
    source = [f"  gravity from {maps['gravity_facets']} facets"] if maps["gravity_facets"] else []
    return "\n".join(["maps (least / median / greatest over the facets)", *lines, *source])
