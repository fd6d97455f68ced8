"""Tethers of a net: coiled or straight between two ends, with the rows of their reels."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from haptos.core.errors import ConfigError
from haptos.dynamics.assembly import Assembly, CableEnd
from haptos.dynamics.cable.laying import laid, reel_rows
from haptos.dynamics.cable.reel import reel
from haptos.geometry.nets.net_topology import TETHER
from haptos.materials.threads import Thread, thread
from haptos.scenarios.net.body_numbers import CHASER
from haptos.scenarios.net.column_files import read_columns
from haptos.scenarios.net.config import Config
from haptos.scenarios.net.config_parts import Reeled, TetherThread, Threads
from haptos.scenarios.net.config_surfaces import TETHER_KIND

Floats = NDArray[np.float64]
SAME_LENGTH = 1e-9  # [-] by which the first length of a profile may miss that of the tether


def thread_of(config: Config, diameter: float) -> Thread:
    """Thread of the scenario's material at a diameter [m]."""
    given = config.threads
    return thread(
        given.material, diameter, fibre_share=given.fibre_share,
        breaking_stress=given.breaking_stress_Pa, linear_density=given.linear_density_kg_per_m,
        axial_stiffness=given.axial_stiffness_N, damping_ratio=given.damping_ratio,
        **bending_of(given),
    )  # fmt: skip


def bending_of(given: Threads) -> dict[str, float | None]:
    """What [threads] says of bending and twist."""
    return {
        "torsion_stiffness": given.torsion_stiffness_N_m2,
        "bending_stiffness": given.bending_stiffness_N_m2,
        "torsion_damping_ratio": given.torsion_damping_ratio,
        "bending_damping_ratio": given.bending_damping_ratio,
    }


def tether_thread(config: Config, given: TetherThread) -> Thread:
    """Thread of a tether: its own numbers, else those of [threads]."""
    other = config.threads
    properties = {
        "fibre_share": given.fibre_share or other.fibre_share,
        "breaking_stress": given.breaking_stress_Pa,
        "linear_density": given.linear_density_kg_per_m,
        "axial_stiffness": given.axial_stiffness_N,
        "damping_ratio": given.damping_ratio,
    }
    if given.material is None:
        as_net = (
            other.breaking_stress_Pa, other.linear_density_kg_per_m, other.axial_stiffness_N,
            other.damping_ratio,
        )  # fmt: skip
        keys = ("breaking_stress", "linear_density", "axial_stiffness", "damping_ratio")
        for key, value in zip(keys, as_net, strict=True):
            properties[key] = value if properties[key] is None else properties[key]
        properties |= bending_of(other)
    material = given.material or other.material
    return thread(material, given.diameter_m, **properties)  # type: ignore[arg-type]


def add_tether(config: Config, made: Assembly, knot: CableEnd) -> list[list[Any]]:
    """Add the tether, coiled between net and chaser; the rows of its reel."""
    given = config.tether
    if given is None or given.length_m == 0.0:
        return []
    offset = given.attachment_m or (0.5 * config.chaser.size_m[0], 0.0, 0.0)
    ends = knot, made.point(CHASER, offset)
    line = tether_thread(config, given)
    elements = laid(made, "[tether]", ends, given.length_m, given.nodes, line, TETHER, TETHER_KIND)
    return rows_of_reel(made, "[tether]", given, elements, ends[1], line)


def rows_of_reel(
    made: Assembly, where: str, given: Reeled, elements: list[int], on: CableEnd, line: Thread
) -> list[list[Any]]:
    """Rows of a tether's reel, one for each piece of its profile and each element."""
    if not given.is_reeled:
        return []
    times, lengths = _profile(where, given, made.elements[elements[0]][2] * len(elements))
    taker = (on, line.linear_density) if given.reel_carries_mass else None
    return reel_rows(made, elements, times, lengths, taker)


def _profile(where: str, given: Reeled, length: float) -> tuple[Floats, Floats]:
    """(times [s], lengths [m]) of a reel that starts at a length [m]."""
    if given.reel_to_m is not None:
        stop = given.reel_start_s + given.reel_duration_s
        return np.array([given.reel_start_s, stop]), np.array([length, given.reel_to_m])
    times, lengths = np.array(given.reel_times_s), np.array(given.reel_lengths_m)
    if given.reel_file is not None:
        where = given.reel_file
        times, lengths = read_columns(given.reel_file, ("time_s", "length_m"))
    try:
        found = reel(times, lengths)
    except ConfigError as error:
        raise ConfigError(where, error.found, error.allowed, error.hint) from None
    if len(times) < 2 or times[0] < 0.0:
        said = f"{len(times)} times" if len(times) < 2 else f"a first time of {times[0]:g} s"
        raise ConfigError(where, said, "two or more times from 0 s on", "reel_times_s = [0, 10]")
    if abs(lengths[0] - length) > SAME_LENGTH * length:
        said = f"a profile that begins with {lengths[0]:g} m on a tether of {length:g} m"
        raise ConfigError(where, said, "the tether's own length", f"begin with {length:g}")
    return found.times, found.lengths
