"""Numbers of an active-tether run: motion, events, metrics, shapes of the line."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import xarray

from haptos.dynamics.cable.boom import (
    W_ACTIVE,
    W_HELD,
    W_IMPULSE,
    X_BOW,
    X_FORCE,
    X_GRIP,
    X_MOMENT,
    X_RATE,
    X_STROKE,
    X_TENSION,
    X_WHEN,
)
from haptos.materials.electro_active import POLYMER, electric_energy
from haptos.results.result import described
from haptos.scenarios.active_tether.config import MetalBoom, Pull
from haptos.scenarios.active_tether.model import buckling_load
from haptos.scenarios.active_tether.on_cells import cell_metrics, loop_table
from haptos.scenarios.phase_history import History
from haptos.scenarios.phase_tables import event_table, motion_table

if TYPE_CHECKING:
    from haptos.scenarios.active_tether.simulate import ActiveTetherHistory

METRICS = (
    "touch_time_s", "peak_force_N", "peak_force_time_s", "held_share", "contact_time_s", "contact_impulse_N_s", "stroke_m",
    "largest_bow_m", "buckling_load_N", "changed_buckling_load_N", "largest_moment_N_m", "largest_tension_N", "largest_rate_deg_per_s",
    "speed_change_m_per_s", "active_work_J", "electric_energy_J", "activation", "hottest_K", "joule_heat_J",
)  # fmt: skip


def metric_names() -> tuple[str, ...]:
    return METRICS


def trajectory(story: ActiveTetherHistory) -> xarray.Dataset:
    """Motion along time."""
    history = story.history
    xyz = ("time", "axis")
    series = {
        "hull": ("r_BN_N", xyz, "m", "N", "spacecraft, centre of mass"),
        "turn": ("turn", ("time",), "rad", "-", "of the spacecraft from upright"),
        "rate": ("rate", ("time",), "rad/s", "-", "of the spacecraft"),
        "effector": ("r_CN_N", xyz, "m", "N", "end effector"),
        "nodes": ("line_N", ("time", "node", "axis"), "m", "N", "nodes of the line, the end effector last"),
        "tension": ("tension", ("time",), "N", "-", "of the line at the spacecraft, below 0 it pushes"),
        "moment": ("moment", ("time",), "N m", "-", "largest bending moment"),
        "contact": ("contact_force", ("time",), "N", "-", "of ground or grip on the end effector, along the normal"),
        "stroke": ("stroke", ("time",), "m", "-", "of the force stage that is used"),
        "activation": ("activation", ("time",), "-", "-", "of the polymer, or fraction of austenite of a wire"),
        "tensions": ("line_tension", ("time", "element"), "N", "-", "between spacecraft, cells and end"),
        "plus": ("martensite_plus", ("time", "segment"), "-", "-", "martensite of tension"),
        "minus": ("martensite_minus", ("time", "segment"), "-", "-", "martensite of compression"),
        "temperature": ("temperature", ("time", "segment"), "K", "-", "of the segments"),
    }  # fmt: skip
    return motion_table(history, series, "the start")


def events(history: History) -> xarray.Dataset:
    """What happened when."""
    return event_table(history, "the start")


def metrics(story: ActiveTetherHistory) -> dict[str, float]:
    """Numbers of a run; NaN where something did not happen."""
    if story.pulled is not None and story.rows is not None:
        found = dict.fromkeys(METRICS, math.nan)
        return found | cell_metrics(story.config, story.pulled, story.rows, story.held)
    run, y = story.boom, story.boom.state
    line = story.config.line
    drawn = math.nan
    if not isinstance(line, MetalBoom):
        drawn = float(electric_energy(POLYMER, float(y[W_ACTIVE]), line.cells, run.time))
    x = run.extremes
    pulls = isinstance(story.config.touch, Pull)
    changes = isinstance(line, MetalBoom) and line.change is not None
    values = (
        story.touched, x[X_GRIP] if pulls else x[X_FORCE], math.nan if pulls else x[X_WHEN], story.held,
        math.nan if pulls else y[W_HELD], y[W_IMPULSE], x[X_STROKE], x[X_BOW],
        buckling_load(story.config), buckling_load(story.config, is_changed=True) if changes else math.nan, x[X_MOMENT], x[X_TENSION], math.degrees(x[X_RATE]),
        float(np.hypot(y[3], y[4])), y[W_ACTIVE], drawn, y[6], math.nan, math.nan,
    )  # fmt: skip
    return {name: float(value) for name, value in zip(METRICS, values, strict=True)}


def tables(story: ActiveTetherHistory) -> dict[str, xarray.Dataset]:
    """The bow of the line at some times; stress, strain and phases of a line of cells."""
    nodes = story.history.column("nodes")
    chosen = np.unique(np.linspace(0, len(nodes) - 1, 9).round().astype(int))
    shapes = nodes[chosen]
    where = np.arange(1, shapes.shape[1] + 1) / shapes.shape[1]
    found = {
        "shapes": xarray.Dataset({
            "shape_time": described(("shape",), story.history.times()[chosen], "s", "-", "since the start"),
            "along": described(("node",), where, "-", "-", "share of the line from the spacecraft"),
            "sideways": described(("shape", "node"), shapes[:, :, 0], "m", "N", "place of the nodes across"),
        })
    }  # fmt: skip
    if story.pulled is not None and story.rows is not None:
        found["loop"] = loop_table(story.config, story.pulled, story.rows)
    return found
