"""A pull on the tether of cells: a line of polymer or of heated metal wire, as a phase of the run."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import xarray
from numpy.typing import NDArray

from haptos.core.rotations import rotation_matrices
from haptos.dynamics.cable.active_pull import LinePull, PullCase, pull
from haptos.dynamics.cable.tether_ends import end_of
from haptos.dynamics.cable.tether_extremes import TENSION, TURN_0
from haptos.dynamics.cable.tether_segments import Segments, metal_segments, polymer_segments
from haptos.dynamics.cable.tether_state import ATTITUDE, BODY, CELLS, RATE
from haptos.dynamics.cable.tether_system import TetherLine
from haptos.materials.electro_active import POLYMER, electric_energy
from haptos.materials.shape_memory import NITINOL, stiffness_of
from haptos.results.checks import Check
from haptos.results.result import described
from haptos.scenarios.active_tether.config import Config, MetalWire, PolymerLine, Pull
from haptos.scenarios.line_results import LineRows, hull_turning, line_rows
from haptos.scenarios.phase_history import History
from haptos.scenarios.worlds.site import Site

Floats = NDArray[np.float64]
WORKS = {
    "axial damping": "damping", "active material": "active", "thrust": "thrust", "propellant": "propellant",
    "grid": "transport", "weight": "gravity",
}  # fmt: skip
HEAT_BOUND = 1e-6  # [-] of the heat put in, or of what would warm the wire by 1 K


def line_of_cells(config: Config) -> tuple[TetherLine, Segments, float]:
    """(line, segments, strain of the line without force [-])."""
    line = config.line
    if isinstance(line, MetalWire):
        start = line.detwinned
        modulus = float(stiffness_of(NITINOL, 1.0 - start))
        area, density, natural = line.section_m2, NITINOL.density, NITINOL.strain * start
        width = line.length_m / line.cells
        made = metal_segments(
            0.0, width, line.cells, area, exchange=line.exchange_W_per_m3_K, outside=line.outside_K
        )  # fmt: skip
    else:
        assert isinstance(line, PolymerLine)
        modulus, area, density, natural = line.modulus_Pa, line.section_m2, line.density_kg_per_m3, 0.0  # fmt: skip
        polymer = POLYMER._replace(modulus=modulus, density=density)
        made = polymer_segments(0.0, line.length_m / line.cells, line.cells, area, material=polymer)
    stiffness, mass = modulus * area, density * area
    slow = 0.5 * math.pi / line.length_m * math.sqrt(stiffness / mass)
    damping = 2.0 * line.damping_ratio / slow * stiffness
    return TetherLine(line.length_m, mass, stiffness, damping), made, natural


def pull_case(config: Config) -> PullCase:
    """The pull of a file."""
    craft, touch, line, fails = config.spacecraft, config.touch, config.line, config.failures
    assert isinstance(touch, Pull)
    case = PullCase(
        craft.mass_kg, (craft.inertia_kg_m2,) * 3, (craft.offset_m, craft.offset_y_m, -craft.lever_m),
        touch.force_N, touch.first_force_N, touch.dwell_s,
        largest_thrust=craft.axial_thrust_N if touch.feeds_forward else 0.0, dead=fails.dead_segments,
        stuck=math.inf if fails.sensor_stuck_s is None else fails.sensor_stuck_s,
        rise=touch.rise_N_per_s or math.inf,
    )  # fmt: skip
    if isinstance(line, MetalWire):
        start = (line.detwinned, 0.0, line.start_K)
        return replace(case, heating=line.heating_W_per_m, hottest=line.hottest_K, start=start)
    assert isinstance(line, PolymerLine)
    return replace(case, loop=line.loop_rad_per_s / (POLYMER.largest * line.section_m2))


def pulled_on_cells(
    config: Config, history: History, looks: Floats, site: Site | None = None
) -> tuple[LinePull, LineRows]:
    """Pull, and add the phase at the times of the file; rows of all looks [s] and of the end come back."""
    line, segments, natural = line_of_cells(config)
    case, surroundings = pull_case(config), None
    if site is not None:
        top = [0.0, 0.0, config.line.length_m + config.spacecraft.lever_m]
        against = -config.spacecraft.mass_kg * site.at(top)[2][0]
        case = replace(case, hover=tuple(against.tolist()))
        surroundings = site.field(), site.ground(is_felt=False)
    stored = np.arange(0.0, config.touch.dwell_s, config.run.output_interval_s)
    found = pull(
        case, line, segments, config.line.cells, natural=natural,
        times=np.union1d(stored, looks), tolerance=config.run.cell_tolerance, surroundings=surroundings,
    )  # fmt: skip
    run, all_rows = found.run, line_rows(found.run)
    is_stored = np.isin(all_rows.time, stored)
    is_stored[[0, -1]] = True
    rows = all_rows.at(is_stored)
    n = run.system.cells
    numbers = found.segments(rows.state)
    dcm = rotation_matrices(rows.state[:, ATTITUDE : ATTITUDE + 4])
    effector = rows.state[:, BODY : BODY + 3]
    cells = rows.state[:, CELLS : CELLS + 3 * n].reshape(-1, n, 3)
    zero = np.zeros(len(rows.time))
    motion = {
        "hull": rows.state[:, 0:3], "turn": np.arctan2(dcm[:, 0, 2], dcm[:, 2, 2]),
        "rate": np.linalg.norm(rows.state[:, RATE : RATE + 3], axis=1), "effector": effector,
        "tension": rows.tension[:, 0], "moment": zero, "contact": rows.tension[:, -1], "stroke": zero,
        "activation": numbers[:, :, 0].mean(axis=1), "tensions": rows.tension,
        "nodes": np.concatenate([cells, effector[:, None]], axis=1),
    }  # fmt: skip
    if isinstance(config.line, MetalWire):
        motion["activation"] = 1.0 - numbers[:, :, :2].sum(axis=2).mean(axis=1)
        motion |= {"plus": numbers[:, :, 0], "minus": numbers[:, :, 1], "temperature": numbers[:, :, 2]}  # fmt: skip
    stores = {"kinetic": rows.energy[:, 0], "elastic": rows.energy[:, 1]}
    works = {key: rows.work(of) - rows.work(of)[0] for key, of in WORKS.items()}
    history.add("pull", rows.time, motion, stores, works, hull_turning(run, rows.state))
    is_look = np.isin(all_rows.time, looks)
    is_look[-1] = True
    return found, all_rows.at(is_look)


def cell_metrics(config: Config, found: LinePull, rows: LineRows, held: float) -> dict[str, float]:
    """Numbers of a pull on cells, as far as there are any."""
    run = found.run
    active = run.works()["active"]
    last = found.segments(run.state[None])[0]
    joule = float(found.heats(run.state[None])[0, 0])
    metal = isinstance(config.line, MetalWire)
    drawn = joule if metal else float(electric_energy(POLYMER, active, config.line.cells, run.time))
    speed = np.array(end_of(run.tether, run.state, 0).velocity)
    return {
        "touch_time_s": 0.0, "peak_force_N": float(run.extremes[TENSION]), "held_share": held,
        "contact_impulse_N_s": float(np.trapezoid(rows.tension[:, -1], rows.time)), "stroke_m": 0.0,
        "largest_tension_N": float(run.extremes[TENSION]), "speed_change_m_per_s": float(np.linalg.norm(speed)),
        "largest_rate_deg_per_s": math.degrees(float(run.extremes[TURN_0])), "active_work_J": active,
        "electric_energy_J": drawn, "activation": float(1.0 - last[:, :2].sum(axis=1).mean() if metal else last[:, 0].mean()),
        "hottest_K": float(found.segments(rows.state)[:, :, 2].max()) if metal else math.nan,
        "joule_heat_J": joule if metal else math.nan, "largest_bow_m": _bow(rows, run.system.cells),
    }  # fmt: skip


def _bow(rows: LineRows, n: int) -> float:
    """Largest distance [m] of a cell from the vertical through the grip, at stored times."""
    cells = rows.state[:, CELLS : CELLS + 3 * n].reshape(-1, n, 3)
    return float(np.hypot(cells[:, :, 0], cells[:, :, 1]).max())


def heat_check(config: Config, found: LinePull) -> tuple[Check, ...]:
    """Joule heat less what is given off, against what warms the wire and what its phases take; at every stored time."""
    if not isinstance(config.line, MetalWire):
        return ()
    rows = found.run.rows
    numbers, heats = found.segments(rows), found.heats(rows)
    volume = config.line.section_m2 * config.line.length_m / config.line.cells
    capacity = NITINOL.density * NITINOL.heat * volume
    warmed = capacity * (numbers[:, :, 2] - numbers[0, :, 2]).sum(axis=1)
    martensite = numbers[:, :, 0] + numbers[:, :, 1]
    latent = NITINOL.latent * volume * (martensite - martensite[0]).sum(axis=1)
    missing = np.abs(warmed - latent - heats[:, 0] + heats[:, 1]).max()
    scale = max(float(np.abs(heats).max()), capacity * config.line.cells)
    return (Check("heat", float(missing) / scale, HEAT_BOUND, "-", "Heat put in, given off, stored and latent"),)  # fmt: skip


def loop_table(config: Config, found: LinePull, rows: LineRows) -> xarray.Dataset:
    """Stress at the spacecraft over the strain of the line, and phases of the middle segment where there are any."""
    line = config.line
    ends = rows.state[:, 0:3] - rows.state[:, BODY : BODY + 3]
    length = np.linalg.norm(ends, axis=1) - config.spacecraft.lever_m
    row = ("row",)
    assert isinstance(line, (PolymerLine, MetalWire))
    series = {
        "loop_time": described(row, rows.time, "s", "-", "since the start"),
        "strain": described(row, length / line.length_m - 1.0, "-", "-", "of the whole line"),
        "stress": described(
            row, rows.tension[:, 0] / line.section_m2, "Pa", "-", "at the spacecraft"
        ),
    }
    if isinstance(line, MetalWire):
        middle = found.segments(rows.state)[:, line.cells // 2]
        series["plus"] = described(row, middle[:, 0], "-", "-", "martensite of tension")
        series["minus"] = described(row, middle[:, 1], "-", "-", "martensite of compression")
        series["austenite"] = described(
            row, 1.0 - middle[:, 0] - middle[:, 1], "-", "-", "austenite"
        )
        series["temperature"] = described(row, middle[:, 2], "K", "-", "of the middle segment")
    return xarray.Dataset(series)
