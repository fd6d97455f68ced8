"""What of a net touches what, besides the target: itself, the bullets, the chaser."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from haptos.contact.contact_flow import PAIR_SIZE
from haptos.contact.hertz import (
    contact_modulus,
    sphere_plane_stiffness,
    sphere_sphere_stiffness,
)
from haptos.contact.pair_rows import damper_loss, empirical_loss, pair_row, restitution_loss
from haptos.dynamics.build import margins
from haptos.dynamics.contacts.memories import (
    BOX_MET,
    BOX_PEAK,
    GLUED,
    PAIR_LEFT_OUT,
    PAIR_MET,
    PAIR_PEAK,
    UNGLUED,
)
from haptos.dynamics.motion import Motion
from haptos.dynamics.system import (
    NODE,
    Boxes,
    LineArrays,
    Options,
    PointArrays,
    Spheres,
    ThreadArrays,
    no_boxes,
    no_spheres,
)
from haptos.scenarios.net.body_numbers import CHASER
from haptos.scenarios.net.config import Config, NetContact
from haptos.scenarios.net.config_surfaces import LIKE

Floats = NDArray[np.float64]
PAIRS_PER_POINT = 32  # [-] room in the list of what is near; a shorter margin makes do with less


def contact_row(
    config: Config, stiffness: float, friction: float, loss: tuple[int, float] | None = None,
    slip: float | None = None,
) -> tuple[float, ...]:  # fmt: skip
    """Numbers of one pair of surfaces for `contact_flow`.

    stiffness  [N/m^1.5]      friction  [-]      loss  its kind and number      slip  v_eps [m/s]
    What is left out is that of [contact].
    """
    given = config.contact
    if given.normal != "hertz":
        return _linear_row(given, friction)
    if loss is None and given.restitution:
        loss = restitution_loss(given.restitution)
    return pair_row(
        stiffness, friction, loss or empirical_loss(given.alpha_s_per_m), damping=given.damping,
        slip_speed=slip or given.slip_speed_m_per_s,
        tangent_stiffness=given.tangent_stiffness_N_per_m,
    )  # fmt: skip


def _linear_row(given: NetContact, friction: float) -> tuple[float, ...]:
    """Numbers of a pair with a linear law, the same springs for all pairs."""
    assert given.linear_stiffness_N_per_m is not None
    assert given.linear_damping_N_s_per_m is not None
    return pair_row(
        given.linear_stiffness_N_per_m, friction, damper_loss(given.linear_damping_N_s_per_m),
        damping=given.damping, slip_speed=given.slip_speed_m_per_s,
        tangent_stiffness=given.tangent_stiffness_N_per_m, law=given.normal,
    )  # fmt: skip


def options_of(config: Config, lengths: Floats) -> Options:
    """Switches of the kernel; lengths of the elements [m]."""
    given = config.contact
    return Options(
        given.remembers, given.edges, *margins(lengths),
        given.touches_itself, given.bullets_net, given.bullets,
        given.model == "sticky", given.glue_strength_N or np.inf,
    )  # fmt: skip


def pair_room(config: Config, points: int) -> int:
    """Pairs of points that are kept as near."""
    given = config.contact
    is_any = given.touches_itself or given.bullets_net or given.bullets
    return PAIRS_PER_POINT * points if is_any else 0


def spheres_of(
    config: Config, points: PointArrays, threads: ThreadArrays, lengths: Floats, lines: LineArrays
) -> Spheres:
    """Points as balls against each other: nodes of half their shortest element [m] unless given."""
    if pair_room(config, 1) == 0:
        return no_spheres(len(points.owner))
    is_node = points.owner == NODE
    shortest = np.full(len(points.owner), np.inf)
    np.minimum.at(shortest, threads.ends.ravel(), np.repeat(lengths, 2))
    own = config.contact.self_radius_m
    size = np.full(len(shortest), own) if own else 0.5 * shortest
    radius = np.where(is_node, np.where(np.isfinite(size), size, 0.0), points.radius)
    return Spheres(radius, _numbers(config), *joined(points, tied(threads, lines)))


def tied(threads: ThreadArrays, lines: LineArrays) -> NDArray[np.int64]:
    """(.., 2) points that an element, or a piece of a running line, ties together."""
    pairs = [threads.ends]
    for first, last in zip(lines.start[:-1], lines.start[1:], strict=True):
        path = lines.point[first:last]
        pairs.append(np.stack([path[:-1], path[1:]], axis=1))
    return np.concatenate(pairs)


def joined(
    points: PointArrays, pairs: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(start (p + 1,), what each node is tied to): a node, or p + body for a point of a body."""
    count = len(points.owner)
    both = np.concatenate([pairs, pairs[:, ::-1]])
    both = both[points.owner[both[:, 0]] == NODE]
    both = both[np.argsort(both[:, 0], kind="stable")]
    owner = points.owner[both[:, 1]]
    start = np.searchsorted(both[:, 0], np.arange(count + 1))
    return start.astype(np.int64), np.where(owner == NODE, both[:, 1], count + owner)


def _numbers(config: Config) -> Floats:
    """Numbers of contact of threads and bullets with each other, (kinds, kinds, PAIR_SIZE)."""
    given = config.contact
    radii = (0.5 * config.threads.diameter_m, config.bullets.radius_m)
    moduli = (given.thread_modulus_Pa, given.bullet_modulus_Pa)
    given_stiffness = {
        (0, 0): given.self_stiffness_N_per_m1p5,
        (1, 1): given.bullets_stiffness_N_per_m1p5,
    }
    numbers = np.zeros((2, 2, PAIR_SIZE))
    for i in range(2):
        for j in range(2):
            modulus = contact_modulus(moduli[i], given.poisson, moduli[j], given.poisson)
            stiffness = given_stiffness.get((i, j)) or sphere_sphere_stiffness(
                modulus, radii[i], radii[j]
            )
            numbers[i, j] = contact_row(config, stiffness, given.bullets_friction)
    return np.ascontiguousarray(numbers[np.ix_(LIKE, LIKE)])


def boxes_of(config: Config) -> Boxes:
    """The chaser and bodies of the user's own as boxes that are touched, where they are."""
    given = config.contact
    chaser = (CHASER, config.chaser.size_m, given.chaser_modulus_Pa, given.chaser_friction)
    touched = [chaser] if given.chaser else []
    touched += [
        (config.names.index(body.name), body.size_m, body.modulus_Pa, body.friction)
        for body in config.bodies
        if body.touches
    ]
    if not touched:
        return no_boxes()
    numbers = np.zeros((len(touched), 2, PAIR_SIZE))
    radii = (0.5 * config.threads.diameter_m, config.bullets.radius_m)
    for row, (_, _, own, friction) in enumerate(touched):
        for kind, young in enumerate((given.thread_modulus_Pa, given.bullet_modulus_Pa)):
            modulus = contact_modulus(young, given.poisson, own, given.poisson)
            stiffness = sphere_plane_stiffness(modulus, radii[kind])
            numbers[row, kind] = contact_row(config, stiffness, friction)
    sizes = np.array([size for _, size, _, _ in touched], dtype=float)
    rows = np.ascontiguousarray(numbers[:, LIKE])
    return Boxes(np.array([body for body, _, _, _ in touched]), 0.5 * sizes, rows)


def meetings(config: Config, motion: Motion) -> dict[str, float]:
    """Largest forces [N] and numbers of contacts of what touches besides the target."""
    tally, given = motion.contacts.pairs.tally, config.contact
    is_on = (given.touches_itself, given.bullets_net, given.bullets)
    found = {}
    for row, name in enumerate(("self", "bullets_net", "bullets")):
        if is_on[row]:
            found[f"{name}_peak_force_N"] = float(tally[PAIR_PEAK + row])
            found[f"{name}_contacts"] = float(tally[PAIR_MET + row])
    if found:
        found["pairs_left_out"] = float(tally[PAIR_LEFT_OUT])
    if given.model == "sticky":
        found["glued_points"] = float(motion.contacts.glue.tally[GLUED])
        found["unglued_points"] = float(motion.contacts.glue.tally[UNGLUED])
    touched = ["chaser"] if given.chaser else []
    touched += [body.name.replace(" ", "_") for body in config.bodies if body.touches]
    for row, name in zip(motion.contacts.boxes.tally, touched, strict=True):
        found[f"{name}_peak_force_N"] = float(row[BOX_PEAK])
        found[f"{name}_contacts"] = float(row[BOX_MET])
    return found
