"""How the wrench of a set of polygons answers to small motions: stiffness and damping, 6 x 6.

    stiffness = sum over nodes of  g_n g_n^T K w  +  (sum over axes e of g_e g_e^T - g_n g_n^T) K_T w   where the node sticks
    damping   = the same with the damping at its depth and D_T
    g_e = (e, x x e)     wrench about A's origin of a unit force along e at node x
A small motion (shift of B at A's origin, turn) of B relative to A changes the wrench on B by minus these times it. They are
those of the areas and normals as they are: change of area is of second order, turn of normals is left out.
Frame: A axes. Validity: small motions; nodes that slip stay slipping. Source: as contact/laws/foundation.py.
"""

from __future__ import annotations

from haptos.contact.laws.foundation import pressure
from haptos.contact.sets.polygons import NODES
from haptos.core.jit import device, routine

CITES: tuple[str, ...] = ()

STIFFNESS, DAMPING = 0, 1


@routine
def fill_slopes(law, found, out):
    """Stiffness and damping, out (2, 6, 6), of a set whose loads and slips are those of its last evaluation."""
    for s in range(2):
        for i in range(6):
            for j in range(6):
                out[s, i, j] = 0.0
    holds = law.friction_at_rest > 0.0
    for k in range(found.counts[NODES]):
        w = found.weight[k]
        if w <= 0.0:
            continue
        _, drag_along = pressure(law, found.load[k] / w, 1.0)
        across, drag = 0.0, 0.0
        if holds and found.slips[k] == 0:
            across, drag = w * law.shear, w * law.shear_damping
        normal, point = found.normal[k], found.point[k]
        _add_node(out[STIFFNESS], w * law.modulus, across, normal, point)
        _add_node(out[DAMPING], w * drag_along, drag, normal, point)
    for s in range(2):
        _mirror(out[s])


@device
def _add_node(out, along, across, n, x):
    """Add a node with one stiffness along its normal and one across it to the upper triangle."""
    g0, g1, g2 = n[0], n[1], n[2]
    g3, g4, g5 = x[1] * g2 - x[2] * g1, x[2] * g0 - x[0] * g2, x[0] * g1 - x[1] * g0
    d = along - across
    _add_row(out, 0, d * g0, g0, g1, g2, g3, g4, g5)
    _add_row(out, 1, d * g1, g0, g1, g2, g3, g4, g5)
    _add_row(out, 2, d * g2, g0, g1, g2, g3, g4, g5)
    _add_row(out, 3, d * g3, g0, g1, g2, g3, g4, g5)
    _add_row(out, 4, d * g4, g0, g1, g2, g3, g4, g5)
    out[5, 5] += d * g5 * g5
    a = across
    for i in range(3):
        out[i, i] += a
    out[0, 4] += a * x[2]
    out[0, 5] -= a * x[1]
    out[1, 3] -= a * x[2]
    out[1, 5] += a * x[0]
    out[2, 3] += a * x[1]
    out[2, 4] -= a * x[0]
    out[3, 3] += a * (x[1] * x[1] + x[2] * x[2])
    out[4, 4] += a * (x[0] * x[0] + x[2] * x[2])
    out[5, 5] += a * (x[0] * x[0] + x[1] * x[1])
    out[3, 4] -= a * x[0] * x[1]
    out[3, 5] -= a * x[0] * x[2]
    out[4, 5] -= a * x[1] * x[2]


@device
def _add_row(out, i, f, g0, g1, g2, g3, g4, g5):
    """Add f g to row i from its diagonal on."""
    g = (g0, g1, g2, g3, g4, g5)
    for j in range(i, 6):
        out[i, j] += f * g[j]


@device
def _mirror(out):
    for i in range(6):
        for j in range(i):
            out[i, j] = out[j, i]
