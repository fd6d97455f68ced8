"""Numbers of a docking: when each stage was reached, the largest loads, margins of parts, propellant."""

from __future__ import annotations

import math

import numpy as np

from haptos.scenarios.docking.flight import DockingFlight
from haptos.scenarios.docking.model import BOOM, BRACKETS, CHASER, NOZZLE_PAIRS, PAIRS
from haptos.scenarios.docking.states import (
    DOCKED,
    HOLD_MATED,
    INSERT,
    LOCK,
    RETRACT,
    TENSION,
    THROAT,
    TOUCHDOWN,
)
from haptos.scenarios.docking.watch import NOZZLE_LATERAL, NOZZLE_MOMENT

REACHED = {
    THROAT: "throat_s", LOCK: "lock_s", RETRACT: "retract_s", TOUCHDOWN: "touchdown_s", TENSION: "tension_s",
    DOCKED: "docked_s",
}  # fmt: skip
MARGINS = (
    "margin_nozzle_lateral", "margin_nozzle_axial", "margin_nozzle_moment", "margin_pressure",
    "margin_boom_moment", "margin_boom_force",
)  # fmt: skip
OTHERS = (
    "largest_depth_m", "deepest_over_layer", "largest_pressure_Pa", "insertion_force_N", "lock_force_N",
    "final_crown_force_N", "final_tension_N", "largest_boom_moment_N_m", "touchdown_spread_s", "ring_force_N",
    "tries", "hold_mated_entries", "propellant_kg", "attitude_error_deg", "ended_s", "steps", "most_polygons",
    "least_margin", "least_clearance_m",
)  # fmt: skip


def metric_names() -> tuple[str, ...]:
    depths = tuple(f"depth_{name.replace(' ', '_')}_m" for name in PAIRS)
    return (*REACHED.values(), *OTHERS, *MARGINS, *depths)


def metrics(flight: DockingFlight) -> dict[str, float]:
    """Numbers of a run; NaN where something did not happen."""
    reached = {name: _first(flight, state) for state, name in REACHED.items()}
    shares = margins(flight)
    found = {**reached, **_others(flight), "least_margin": min(shares.values()), **shares}
    for name in PAIRS:
        found[f"depth_{name.replace(' ', '_')}_m"] = flight.maxima.get(name, {}).get(
            "depth", math.nan
        )
    return {name: float(found[name]) for name in metric_names()}


def _first(flight: DockingFlight, state: str) -> float:
    return next((c.time for c in flight.docking.machine.changes if c.target == state), math.nan)


def _largest(
    flight: DockingFlight, parts: tuple[str, ...], quantity: str, state: str = ""
) -> float:
    """Largest of a quantity of some pairs, over the run or in one state; 0 without contact."""
    found = flight.by_state.get(state, {}) if state else flight.maxima
    return max((found.get(part, {}).get(quantity, 0.0) for part in parts), default=0.0)


def _boom(flight: DockingFlight, quantity: str) -> float:
    return flight.maxima.get(BOOM, {}).get(quantity, 0.0)


def margins(flight: DockingFlight) -> dict[str, float]:
    """1 - load/limit of each part; below 0 it was damaged.

    A load is the larger of what one pair had in any step and of what the sequence judged, that of all pairs together.
    """
    limits, judged = flight.model.config.damage, flight.watch.largest
    moment = max(_boom(flight, "root_moment"), _boom(flight, "tip_moment"))
    force = max(abs(_boom(flight, "tension")), abs(_boom(flight, "least_tension")))
    pairs = NOZZLE_PAIRS
    lateral, turning = judged.get(NOZZLE_LATERAL, 0.0), judged.get(NOZZLE_MOMENT, 0.0)
    loads = (
        max(_largest(flight, pairs, "lateral"), lateral) / limits.nozzle_lateral_N,
        _largest(flight, pairs, "axial") / limits.nozzle_axial_N,
        max(_largest(flight, pairs, "torque"), turning) / limits.nozzle_moment_N_m,
        _largest(flight, pairs, "pressure") / limits.pressure_Pa,
        moment / limits.boom_moment_N_m, force / limits.boom_N,
    )  # fmt: skip
    return {name: 1.0 - load for name, load in zip(MARGINS, loads, strict=True)}


def _others(flight: DockingFlight) -> dict[str, float]:
    config, plant, counts = flight.model.config, flight.plant, flight.plant.counts()
    depth = _largest(flight, PAIRS, "depth")
    has_tool = bool(flight.model.slides)
    before = [_largest(flight, NOZZLE_PAIRS, "force", state) for state in (INSERT, THROAT)]
    return {
        "largest_depth_m": depth,
        "deepest_over_layer": layer_strain(flight),
        "largest_pressure_Pa": _largest(flight, NOZZLE_PAIRS, "pressure"),
        "insertion_force_N": max(before),
        "lock_force_N": _largest(flight, ("crown",), "axial", LOCK) if has_tool else math.nan,
        "final_crown_force_N": abs(float(plant.contact("crown").force[0]))
        if has_tool
        else math.nan,
        "final_tension_N": plant.boom(BOOM).tension,
        "largest_boom_moment_N_m": max(_boom(flight, "root_moment"), _boom(flight, "tip_moment")),
        "touchdown_spread_s": touchdown_spread(flight),
        "ring_force_N": _largest(flight, BRACKETS, "force"),
        "tries": float(config.sequence.tries - flight.docking.tries_left),
        "hold_mated_entries": float(flight.docking.machine.count(HOLD_MATED)),
        "propellant_kg": plant.propellant(CHASER),
        "attitude_error_deg": math.degrees(flight.attitude_error),
        "ended_s": plant.time,
        "steps": float(counts["steps"]),
        "least_clearance_m": flight.clearance.least,
        "most_polygons": float(
            max((v for k, v in counts.items() if k.startswith("polygons")), default=0)
        ),
    }


def layer_strain(flight: DockingFlight) -> float:
    """Largest compression of the layer of nozzle or tool, over its thickness."""
    shapes = flight.model.shapes
    return _largest(flight, NOZZLE_PAIRS, "depth") * shapes.strain_per_depth


def touchdown_spread(flight: DockingFlight) -> float:
    """Time [s] from the first pad that touches to the last; NaN if one never did."""
    times = [flight.first_touch.get(name, math.nan) for name in BRACKETS]
    return max(times) - min(times) if np.isfinite(times).all() else math.nan
