"""What the user adds to a net: rigid bodies, more tethers, and states to start from."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from haptos.core.errors import ConfigError
from haptos.core.units import DEGREE
from haptos.dynamics.assembly import AssembledBody, Assembly, CableEnd
from haptos.dynamics.cable.laying import laid
from haptos.geometry.mesh.cuboids import cuboid_moments
from haptos.geometry.nets.net_folding import require_unstretched
from haptos.geometry.nets.net_nodes import NetNodes, cut_links
from haptos.geometry.nets.net_topology import TETHER, NetMesh
from haptos.scenarios.net.bullet_orders import bullet_delays, bullet_speeds
from haptos.scenarios.net.column_files import read_columns
from haptos.scenarios.net.config import Config
from haptos.scenarios.net.config_extras import OwnTether
from haptos.scenarios.net.config_surfaces import TETHER_KIND
from haptos.scenarios.net.tethers import rows_of_reel, tether_thread

Floats = NDArray[np.float64]
STATE_COLUMNS = (
    "x_m", "y_m", "z_m", "vx_m_per_s", "vy_m_per_s", "vz_m_per_s",
)  # fmt: skip


def own_bodies(config: Config) -> list[AssembledBody]:
    """Bodies of [[bodies]]."""
    found = []
    for given in config.bodies:
        moments = given.inertia_kg_m2 or cuboid_moments(given.mass_kg, given.size_m)
        attitude = np.asarray(given.attitude_quaternion, dtype=float)
        found.append(
            AssembledBody(
                given.name, given.mass_kg, np.asarray(moments, dtype=float),
                np.array(given.position_m), np.array(given.velocity_m_per_s),
                attitude / np.linalg.norm(attitude), np.array(given.rate_deg_per_s) * DEGREE,
            )
        )  # fmt: skip
    return found


def add_own_tethers(
    config: Config, made: Assembly, nodes: NetNodes, knots: list[CableEnd]
) -> list[list[Any]]:
    """Add the tethers of [[tethers]]; the rows of their reels."""
    rows: list[list[Any]] = []
    names = [body.name for body in made.bodies]
    for n, given in enumerate(config.tethers):
        where = f"[[tethers]] {n + 1}"
        _refuse_held(where, config, given)
        if given.first_body is not None:
            first = made.point(names.index(given.first_body), given.first_point_m)
        else:
            first = knots[_knot(where, given, nodes)]
        ends = first, made.point(names.index(given.body), given.point_m)
        line = tether_thread(config, given)
        elements = laid(made, where, ends, given.length_m, given.nodes, line, TETHER, TETHER_KIND)
        rows += rows_of_reel(made, where, given, elements, ends[1], line)
    return rows


def _knot(where: str, given: OwnTether, nodes: NetNodes) -> int:
    """Number of the knot a tether begins at."""
    if given.corner is not None:
        return int(nodes.bullet_knots[given.corner])
    knot = int(given.knot or 0)
    if knot >= nodes.knot_count:
        allowed = f"0 to {nodes.knot_count - 1}"
        raise ConfigError(f"{where} knot", f"knot = {knot}", allowed, "count knots from 0")
    return knot


def _refuse_held(where: str, config: Config, given: OwnTether) -> None:
    """Before the first shot all nodes are held by the chaser: a tether to a free body cannot be."""
    if config.net.states_file is not None:
        return
    shot = bullet_speeds(config) > 0.0
    first = float(np.min(bullet_delays(config)[shot], initial=np.inf))
    is_free = any(
        name is not None and name != "chaser" and not name.startswith("bullet")
        for name in (given.body, given.first_body)
    )
    if is_free and first > 0.0:
        found = f"a tether to '{given.body}' with a first shot at {first:g} s"
        hint = "a first shot without delay"
        raise ConfigError(where, found, "a shot at 0 s: until then the net is held", hint)


def given_states(config: Config, mesh: NetMesh, nodes: NetNodes) -> tuple[Floats, Floats] | None:
    """(places [m], velocities [m/s]) of all nodes, N axes, by the table of knots; None without."""
    file = config.net.states_file
    if file is None:
        return None
    values = read_columns(file, STATE_COLUMNS).T
    if len(values) != mesh.knot_count:
        found = f"{len(values)} rows for a net of {mesh.knot_count} knots"
        raise ConfigError(file, found, "one row for each knot", "rows in the order of the knots")
    cut = mesh.links, mesh.lengths, config.net.nodes_per_link
    places = cut_links(np.ascontiguousarray(values[:, :3]), *cut)[0]
    speeds = cut_links(np.ascontiguousarray(values[:, 3:]), *cut)[0]
    require_unstretched(file, places, nodes.elements, nodes.lengths * (1.0 + 1e-9))
    return places, speeds
