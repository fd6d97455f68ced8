"""One contact over a short time: the way two points press, slip and part while nothing else acts.

Over the time the free way of the gap is a parabola, that of the pull which acts besides; what the
contact does to it is added in steps as short as the contact asks, not the motion around it. Normal force is Hertzian with losses,
`impact_damping`; over a step its elastic part is the change of stored energy over the change of
depth, and depth and rate change by the mean rate and that force: a step of any length keeps the sum
of both energies, and is of second order. Friction is `slip_friction` at the speed after the kick,
so that however stiff the law, a point comes to rest and never turns back; or `stick_slip`, which
remembers its anchor.

    depth' = rate,   rate' = g - f/m_n,   slip' = a_t + f_t/m_t
    over a step h:  r = (rate + rate_1)/2,  depth_1 = depth + h r,  rate_1 = rate + h (g - f/m_n),
                    f = (U(depth_1) - U(depth))/(depth_1 - depth) max(0, 1 + a r)

    g, a_t    acceleration by all other forces, into the body and across [m/s^2]
    m_n, m_t  effective masses along the normal and across it [kg]; their inverses are given
Where a push along the normal also changes the slip, as on a rigid body off its centre, friction
changes the rate of the depth by the same coupling. Each step then takes half of the normal force, all of the friction, and
the other half: the ledger still closes, and friction acts in the middle of the time it stands for.
Ledger: what the bodies lose, and the pull does over the way they go, is what the springs hold and the
losses, to rounding. So a point that is pulled and sticks makes no heat.
Frame: any; normal out of the touched body, slip of the touching point relative to it.
Validity: free way short against the curvature of both surfaces. Source: [Salvi2014] ch. 4 for the
laws; the steps are the discrete gradient of [Gonzalez1996].
"""

from __future__ import annotations

import math

from haptos.contact.hertz import hertz_force
from haptos.contact.impact_damping import empirical_factor, hysteresis_factor
from haptos.contact.laws.normal import (
    HERTZ,
    SPRING_DAMPER,
    deepest_of,
    depth_of_pull,
    loss_over_push,
    normal_energy,
    normal_load,
    normal_parts,
    normal_slope,
    with_losses,
)
from haptos.contact.slip_friction import relaxed_over_speed, slip_fade
from haptos.contact.stick_slip import stick_force
from haptos.core.jit import device, routine
from haptos.core.vectors import add, add_scaled, dot, norm, scale, subtract

CITES: tuple[str, ...] = ("Gonzalez1996", "Salvi2014")

# Numbers of a pair of surfaces, one row of a table.
(
    STIFFNESS, LOSS_KIND, LOSS_LAW, LOSS, FRICTION, V_EPS, V_TH, HOLDING, TANGENT, TANGENT_DAMPING,
    NORMAL_LAW,
) = range(11)  # fmt: skip
PAIR_SIZE = 11
FIXED_FACTOR, EMPIRICAL, NOMINAL = 0, 1, 2  # what LOSS is: a [s/m], alpha [s/m], e [-]

RESOLVED = 0.2  # [-] step times the frequency at the deepest point: 20 steps in an impact
ROUNDS = 16  # [-] of the search for the mean rate, each of which gains a digit or more
CLOSE = 1e-4  # [-] change of depth as a share of it, below which the force is that at mid-way
MOST_STEPS = 4000  # [-] in one contact over one time; what is left then is drifted
HALVINGS = 60  # [-] of the search for the slip that is left
COUPLED = 1e-3  # [-] of the inverse mass across, below which a coupling does not decide when friction acts
OPEN = -1.0  # [s/m] factor of a contact that is not closed


@device
def entry_factor(pair, rate):
    """Factor a [s/m] of a contact that closes with a rate [m/s] > 0."""
    kind, law = pair[LOSS_KIND], int(pair[LOSS_LAW])
    if kind == NOMINAL:
        return hysteresis_factor(law, pair[LOSS], rate)
    if kind == EMPIRICAL:
        return empirical_factor(law, pair[LOSS], rate)
    return pair[LOSS]


@device
def frequency_square(pair, inverse, depth):
    """Square [1/s^2] of the frequency at a depth: slope of the elastic force over the mass."""
    return normal_slope(pair[NORMAL_LAW], pair[STIFFNESS], depth) * inverse


@device
def longest_step(pair, inverse, depth, rate, has_memory, inverse_t, pull=0.0):
    """Step [s] that resolves a contact at a depth [m] and a rate of depth [m/s], pulled in [m/s^2]."""
    law, stiffness = pair[NORMAL_LAW], pair[STIFFNESS]
    deepest = deepest_of(law, stiffness, inverse, depth, rate)
    if pull > 0.0:
        deepest = max(deepest, depth_of_pull(law, stiffness, inverse, pull))
    step = RESOLVED / math.sqrt(frequency_square(pair, inverse, deepest) + 1e-300)
    if law != HERTZ:
        step = min(step, RESOLVED / (pair[LOSS] * inverse + 1e-300))
    if has_memory:
        own = math.sqrt(pair[TANGENT] * inverse_t) + pair[TANGENT_DAMPING] * inverse_t
        step = min(step, RESOLVED / own)
    return step


@device
def mean_spring(law, stiffness, depth, end):
    """Force [N] whose work from one depth to another is the change of the elastic energy."""
    way = end - depth
    middle = 0.5 * (depth + end)
    if law == HERTZ and abs(way) < CLOSE * middle:
        bend = 0.75 * stiffness / math.sqrt(middle)  # f'' of k d^(3/2)
        return hertz_force(stiffness, middle) + bend * way * way / 24.0
    if law != HERTZ and depth >= 0.0 and end >= 0.0:
        return stiffness * middle
    if way == 0.0:
        return normal_parts(law, stiffness, 0.0, depth, 0.0)[0]
    return (normal_energy(law, stiffness, end) - normal_energy(law, stiffness, depth)) / way


@device
def pressed_step(law, stiffness, factor, inverse, depth, rate, h):
    """(force, elastic part of it [N], mean rate [m/s]) over a step h [s] of one contact.

    The law is decided once, not in every round: the rounds are compiled for Hertz's law and for the others.
    """
    if law == HERTZ:
        return pressed_rounds(HERTZ, stiffness, factor, inverse, depth, rate, h)
    return pressed_rounds(law, stiffness, factor, inverse, depth, rate, h)


@device
def pressed_rounds(law, stiffness, factor, inverse, depth, rate, h):
    """As `pressed_step`: the mean rate is found by rounds of force and rate."""
    mean, force, spring = rate, 0.0, 0.0
    for _ in range(ROUNDS):
        spring = mean_spring(law, stiffness, depth, depth + h * mean)
        push = 0.5 * h * inverse * spring
        new = (rate - push) / (1.0 + loss_over_push(law, factor, push, 0.5 * h * inverse))
        if law == SPRING_DAMPER and new < 0.0:
            new = rate - push  # on the way out nothing is lost
        if with_losses(law, spring, factor, new) <= 0.0 and spring > 0.0:
            new = rate  # the clamp holds: no force
        is_found = abs(new - mean) <= 1e-13 * (abs(rate) + push)
        mean = new
        if is_found:
            break
    force = with_losses(law, spring, factor, mean)
    return force, spring, rate - 0.5 * h * inverse * force


@device
def slowed(pair, speed, push):
    """Speed [m/s] s after a kick of friction: s + push mu fade(s) relax(s) = speed.

    push  load times time over mass [m/s]. The left side grows with s, so there is one root.
    """
    full = pair[FRICTION] * push
    if speed - full >= pair[V_EPS]:
        return speed - full
    low, high = 0.0, speed
    s = min(speed, pair[V_EPS] * speed / (pair[V_EPS] + 2.0 * full))
    for _ in range(HALVINGS):
        over = s + full * slip_fade(s, pair[V_EPS]) * relaxed_over_speed(s, pair[V_TH]) * s - speed
        if over > 0.0:
            high = s
        else:
            low = s
        if high - low <= 1e-12 * speed:
            break
        s = 0.5 * (low + high)
    return s


@device
def held_step(pair, offset, slip, load, inverse_t, h):
    """(impulse [N s], offset [m], stored energy, work of the bodies [J]) of `stick_slip` over a step.

    The anchor sees the way the point really goes, h times the mean of the slip before and after:
    what the bodies lose is what the spring gains and heat, and what sticks stays where it is.
    """
    mean, rub, end, stored = slip, (0.0, 0.0, 0.0), offset, 0.0
    for _ in range(ROUNDS):
        rub, end, stored, _ = stick_force(
            offset, mean, load, pair[FRICTION], pair[HOLDING], pair[V_EPS],
            pair[TANGENT], pair[TANGENT_DAMPING], h,
        )  # fmt: skip
        new = add_scaled(slip, 0.5 * h * inverse_t, rub)
        change, mean = norm(subtract(new, mean)), new
        if change <= 1e-14 * norm(mean):
            break
    return scale(h, rub), end, stored, -h * dot(rub, mean)


@device
def time_to_touch(gap, rate, pull):
    """Time [s] until a gap [m] > 0 is closed at a rate [m/s] that grows by a pull [m/s^2]."""
    root = rate * rate + 2.0 * pull * gap
    if root < 0.0:
        return math.inf
    below = rate + math.sqrt(root)
    return 2.0 * gap / below if below > 0.0 else math.inf


@device
def rubbed_step(pair, slip, pulled, load, inverse_t, h):
    """(impulse [N s], work of the bodies [J]) of `slip_friction` over a step h [s].

    slip, pulled  [m/s] at the start, and at the end if nothing rubbed       load  [N]
    """
    speed = norm(pulled)
    if not speed > 0.0:
        return (0.0, 0.0, 0.0), 0.0
    still = slowed(pair, speed, h * load * inverse_t)
    impulse = scale((still - speed) / (speed * inverse_t), pulled)
    mean = scale(0.5, add_scaled(slip, still / speed, pulled))
    return impulse, -dot(impulse, mean)


@device
def friction_over(pair, offset, has_memory, slip, drag, load, inverse_t, h, is_coupled):
    """As `held_step`, with or without memory, over a step h [s], or over two of its halves h where normal force and friction are coupled."""
    if has_memory:
        when, rub = (h, 2.0 * h) if is_coupled else (0.5 * h, h)
        return held_step(pair, offset, add_scaled(slip, when, drag), load, inverse_t, rub)
    pulled = add_scaled(slip, h, drag)
    first, rub = (pulled, 2.0 * h) if is_coupled else (slip, h)
    impulse, heat = rubbed_step(pair, first, pulled, load, inverse_t, rub)
    return impulse, offset, 0.0, heat


@routine
def contact_flow(
    pair, factor, offset, has_memory, gaps, time, inverse_n, inverse_t, slip,
    coupling=(0.0, 0.0, 0.0), pull=0.0, drag=(0.0, 0.0, 0.0),
):  # fmt: skip
    """What a contact does over a time [s].

    pair       row of numbers of the two surfaces     factor   a [s/m] from before, OPEN if apart
    offset     anchor offset of `stick_slip` [m]      has_memory  whether friction remembers
    gaps       gap [m] at the start and, without contact, at the end
    inverse_n, inverse_t  1/effective mass along and across the normal [1/kg]
    slip       [m/s] at the start, 3-tuple across the normal
    coupling   [1/kg] change of the slip by an impulse along the normal, 3-tuple: 0 for point masses
    pull, drag acceleration by other forces into the body, and across the normal, 3-tuple [m/s^2]
    Returns (impulse along the normal [N s], its sum weighted with the time since the start [N s^2],
    impulse of friction [N s] and its weighted sum, 3-tuples), (loss of the normal force, loss of friction,
    stored tangential energy [J], largest normal force [N], impulse of the lossy part of the normal force [N s]),
    factor, offset.
    """
    depth, rate, left = -gaps[0], (gaps[0] - gaps[1]) / time - 0.5 * pull * time, time
    pushed, pushed_early, rubbed, rubbed_early = 0.0, 0.0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    lost, heated, held, peak, damped = 0.0, 0.0, 0.0, 0.0, 0.0
    if has_memory:
        held = 0.5 * pair[TANGENT] * (offset[0] ** 2 + offset[1] ** 2 + offset[2] ** 2)
    step = longest_step(pair, inverse_n, depth, rate, has_memory, inverse_t, pull)
    is_coupled = dot(coupling, coupling) > (COUPLED * inverse_t) ** 2
    when = 1.0 if is_coupled else 0.5  # of a step or its first half, friction moves what it pushes
    second = 0.0  # half of a step that is still to come after its friction
    for _ in range(MOST_STEPS):
        if depth <= 0.0:
            if factor != OPEN:
                factor = OPEN
                heated, held, offset = heated + held, 0.0, (0.0, 0.0, 0.0)
            second = 0.0
            wait = time_to_touch(-depth, rate, pull)
            if not wait < left or (depth == 0.0 and rate <= 0.0 and pull <= 0.0):
                break
            left, depth, rate = left - wait, 0.0, rate + pull * wait
            slip = add_scaled(slip, wait, drag)
            step = longest_step(pair, inverse_n, depth, rate, has_memory, inverse_t, pull)
        if factor == OPEN:
            factor = entry_factor(pair, max(rate, 0.0))
        h = min(step, left)
        if is_coupled:
            h = second if second > 0.0 else 0.5 * h
        force, spring, mean = pressed_step(
            pair[NORMAL_LAW], pair[STIFFNESS], factor, inverse_n, depth, rate + 0.5 * h * pull, h
        )
        lost, damped = lost + (force - spring) * mean * h, damped + (force - spring) * h
        slip = add_scaled(slip, h * force, coupling)
        impulse = (0.0, 0.0, 0.0)
        if second == 0.0:
            impulse, offset, stored, heat = friction_over(
                pair, offset, has_memory, slip, drag, force, inverse_t, h, is_coupled
            )
            heated, held = heated + heat + held - stored, stored
        second = h if is_coupled and second == 0.0 else 0.0
        slip = add_scaled(add_scaled(slip, h, drag), inverse_t, impulse)
        since = time - left
        pushed, pushed_early = pushed + h * force, pushed_early + h * force * (since + 0.5 * h)
        rubbed = add(rubbed, impulse)
        rubbed_early = add_scaled(rubbed_early, since + when * h, impulse)
        rate = 2.0 * mean - rate - dot(coupling, impulse)
        depth, left = depth + h * mean, left - h
        peak = max(peak, force, normal_load(pair[NORMAL_LAW], pair[STIFFNESS], factor, depth, rate))
        if not left > 0.0:
            break
    impulses = pushed, pushed_early, rubbed, rubbed_early
    return impulses, (lost, heated, held, peak, damped), factor, offset


@device
def contact_energy(pair, gap):
    """Elastic energy [J] of a pair at a gap [m]."""
    return normal_energy(pair[NORMAL_LAW], pair[STIFFNESS], -gap)
