"""A tether of changing length between two end bodies: all its rates, in one function that every scheme asks.

    cells    (9), (10) of `tether_cells.py`: positions and momenta, line that runs through the grid
    ends     (13), (14) of `rigid/end_body.py`, with reels and pulls of `tether_ends.py` and `tether_bodies.py`
    heat     (16) of `tether_heat.py`         ledger  `tether_work.py`        loads  `tether_loads.py`
Frame: N of `dynamics/field.py`. Validity: thin line without bending, torsion and self-contact; small strain.
Source: [Quadrelli2017], with the terms that momentum and energy ask for.
"""

from __future__ import annotations

from haptos.core.jit import routine
from haptos.dynamics.cable.tether_bodies import body_rates
from haptos.dynamics.cable.tether_cells import cell_rates, fill_grid, inner_springs, widths
from haptos.dynamics.cable.tether_ends import both_ends, end_of, first_cell, reel_numbers
from haptos.dynamics.cable.tether_heat import heat_rates, thermal_work
from haptos.dynamics.cable.tether_loads import cell_loads, renew_sky
from haptos.dynamics.cable.tether_material import material_rates
from haptos.dynamics.cable.tether_state import CELLS, CUT, WORKS
from haptos.dynamics.cable.tether_work import reel_work, spring_work, sum_exchanged
from haptos.dynamics.field import renew_field

CITES: tuple[str, ...] = ("Quadrelli2017",)


@routine
def tether_rates(tether, t, y, dy):
    """dy of the state y at time t [s]; springs, grid and feeds of the record are those of (t, y) afterwards."""
    n = tether.line.count
    for i in range(WORKS, CELLS):
        dy[i] = 0.0
    renew_field(tether.field, t)
    renew_sky(tether, t)
    inner_springs(tether, t, y)
    a, b = end_of(tether, y, 0), end_of(tether, y, 1)
    first, second = both_ends(tether, t, y, a, b)
    fill_grid(tether, first[0], second[0])
    ends = ((a.attachment, first[2]), (b.attachment, second[2]))
    cell_rates(tether, y, ends, dy)
    near, far = (a.attachment, a.feed), (b.attachment, b.feed)
    if n > 0:
        d_0, d_1 = widths(tether, y)
        cut = int(tether.status[CUT])
        near = first_cell(tether, y, 0, d_1 if cut == 0 else d_0)
        far = first_cell(tether, y, 1, d_0 if cut == n else d_1)
    body_rates(tether, t, y, 0, a, first, near, dy)
    body_rates(tether, t, y, 1, b, second, far, dy)
    reel_work(tether, y, 0, first, near, reel_numbers(y, 0), dy)
    reel_work(tether, y, 1, second, far, reel_numbers(y, 1), dy)
    # Before loads: elastic transport needs rates of positions only.
    spring_work(tether, y, first[0], second[0], a.feed, b.feed, (first[3], second[3]), dy)
    cell_loads(tether, y, ends, dy)
    heat_rates(tether, t, y, ends, dy)
    thermal_work(tether, dy)
    material_rates(tether, t, y, dy)
    sum_exchanged(dy)
