"""Implicit steps of shape-memory metal: fractions and temperature of one cell, driven by stress or strain.

    stage:   x = x_b + g Q(sigma, theta) x,   theta = theta_b + g heating(theta) + [L (x_M - x_Mb) + work]/(rho c)
             with sigma given, or sigma C(x) + e0 (x+ - x-) = eps                                   g = share of the step h
    euler    one stage, g = h: order 1, L-stable; fractions stay in [0, 1] whatever h
    sdirk    two stages, g = (1 - 1/sqrt 2) h: order 2, L-stable; a step that would leave [0, 1] is an euler step

The unknowns are sigma and theta alone: with them given, the exchange of phases is linear and solved without a
difference (`exchanged`), so that fractions are positive and sum to 1 by the scheme. Newton on both, kept within a
bracket in sigma, in which the strain rises with sigma.
Validity: as the law. Source: [Alexander1977] for the two-stage scheme.
"""

from __future__ import annotations

import math
from collections import namedtuple

from haptos.core.jit import device
from haptos.materials.shape_memory import (
    STEFAN_BOLTZMANN,
    compliance,
    exchanged,
    strain_of,
    transition_rates,
)

CITES: tuple[str, ...] = ("Alexander1977",)

BY_STRESS, BY_STRAIN = 0, 1
GIVEN_TEMPERATURE, HEAT_BALANCE = 0, 1
GAMMA = 1.0 - math.sqrt(0.5)
ITERATIONS = 60
STRAIN_LEFT, KELVIN_LEFT = (
    1e-13,
    1e-10,
)  # residuals that end the iteration: rounding of strain and heat
WIDEST = 3e9  # [Pa] of the bracket in sigma
NEAR_STRESS, NEAR_KELVIN = (
    1e5,
    0.01,
)  # [Pa], [K] over which a guess is carried on from stage to stage

# Fractions [-], temperature [K], stress [Pa]
Cell = namedtuple("Cell", "plus minus austenite theta sigma")
# What acts on a cell: stress or strain by `kind`; temperature [K] given or by heat balance; heating [W/m^3],
# exchange [W/m^3/K], emission [1/m], surroundings [K]
CellDrive = namedtuple("CellDrive", "kind value thermal theta heating exchange emission outside")


@device
def heat_flow(drive, theta):
    """Heating without phases [W/m^3] and its slope [W/m^3/K]."""
    out = drive.outside
    flow = drive.heating - drive.exchange * (theta - out)
    flow -= STEFAN_BOLTZMANN * drive.emission * (theta**4 - out**4)
    return flow, -drive.exchange - 4.0 * STEFAN_BOLTZMANN * drive.emission * theta**3


@device
def stage(material, base, g, drive, sigma, theta):
    """(Cell, residual [-]) that solves the stage equations from a guess of sigma and theta."""
    soft = 1.0 / material.martensite - 1.0 / material.austenite
    rho_c = material.density * material.heat
    low, high = -WIDEST, WIDEST
    thermal = drive.thermal == HEAT_BALANCE
    if drive.kind == BY_STRESS:
        sigma = drive.value
    if not thermal:
        theta = drive.theta
    x = (base.plus, base.minus, base.austenite)
    f1, f2 = 0.0, 0.0
    for _ in range(ITERATIONS):
        rates = transition_rates(material, sigma, theta)
        x = exchanged(rates, g, base.plus, base.minus, base.austenite)
        plus, minus, a = x
        # change of the fractions with sigma; with theta wells move by the slope of s_A instead
        enter_p = g * rates.enter_plus * rates.d_ep * a
        leave_p = g * rates.leave_plus * rates.d_lp * plus
        enter_m = g * rates.enter_minus * rates.d_em * a
        leave_m = g * rates.leave_minus * rates.d_lm * minus
        up, um = enter_p - leave_p, enter_m - leave_m
        dp, dm, _da = exchanged(rates, g, up, um, -up - um)
        martensite = plus + minus
        c = compliance(material, martensite, a)
        f1 = sigma * c + material.strain * (plus - minus) - drive.value
        flow, flow_slope = heat_flow(drive, theta) if thermal else (0.0, 0.0)
        gain_p, gain_m = plus - base.plus, minus - base.minus
        latent = material.latent * (gain_p + gain_m)
        work = sigma * material.strain * (gain_p - gain_m)
        work += 0.5 * sigma * sigma * soft * (gain_p + gain_m)
        f2 = 0.0
        if thermal:
            f2 = theta - base.theta - (g * flow + latent + material.self_heating * work) / rho_c
        is_strain = drive.kind == BY_STRAIN
        f1 = f1 if is_strain else 0.0
        if (not is_strain or abs(f1) < STRAIN_LEFT) and abs(f2) < KELVIN_LEFT:
            break
        # with theta: tension wells shift by -slope, those of M- by +slope, in units of sigma
        s = material.slope
        wp, wm, _wa = exchanged(rates, g, -s * up, s * um, s * up - s * um)
        j11 = c + sigma * soft * (dp + dm) + material.strain * (dp - dm)
        j12 = sigma * soft * (wp + wm) + material.strain * (wp - wm)
        j21 = -(material.latent * (dp + dm)) / rho_c
        j22 = 1.0 - (g * flow_slope + material.latent * (wp + wm)) / rho_c
        if is_strain:
            low, high = (sigma, high) if f1 < 0.0 else (low, sigma)
        if not is_strain:
            theta -= f2 / j22
        elif not thermal:
            sigma = _kept(sigma - f1 / j11, low, high)
        else:
            det = j11 * j22 - j12 * j21
            tried = sigma - (f1 * j22 - f2 * j12) / det
            theta -= (f2 * j11 - f1 * j21) / det
            if not (low < tried < high):  # the bracket belongs to another theta by now
                low, high = min(low, sigma) - 1e7, max(high, sigma) + 1e7
            sigma = min(max(tried, sigma - 5e7), sigma + 5e7)
    return Cell(x[0], x[1], x[2], theta, sigma), max(abs(f1), abs(f2) / 100.0)


@device
def _kept(tried, low, high):
    return tried if low < tried < high else 0.5 * (low + high)


@device
def euler_step(material, cell, h, drive):
    """(Cell after h [s], residual [-]), `drive` at the end of the step: order 1, any h."""
    return stage(material, cell, h, drive, cell.sigma, cell.theta)


@device
def _near(cell, further, warmer):
    """Guess of stress and temperature: carried on where the change is small, as they are where it is not."""
    if abs(further) < NEAR_STRESS and abs(warmer) < NEAR_KELVIN:
        return cell.sigma + further, cell.theta + warmer
    return cell.sigma, cell.theta


@device
def sdirk_step(material, cell, h, middle, end, trend):
    """(Cell after h [s], first stage, error estimate [-], residual [-], whether it fell back): order 2.

    middle, end  drives at GAMMA h and at h     trend  rates of stress [Pa/s] and temperature [K/s] that guesses follow
    """
    g = GAMMA * h
    sigma, theta = _near(cell, g * trend[0], g * trend[1])
    first, left = stage(material, cell, g, middle, sigma, theta)
    r = (1.0 - GAMMA) / GAMMA
    sigma, theta = _near(first, r * (first.sigma - cell.sigma), r * (first.theta - cell.theta))
    base = Cell(
        cell.plus + r * (first.plus - cell.plus),
        cell.minus + r * (first.minus - cell.minus),
        cell.austenite + r * (first.austenite - cell.austenite),
        cell.theta + r * (first.theta - cell.theta),
        first.sigma,
    )
    last, also = stage(material, base, g, end, sigma, theta)
    left = max(left, also)
    if min(last.plus, last.minus, last.austenite) < 0.0 or min(base.plus, base.minus, base.austenite) < 0.0:  # fmt: skip
        back, left = euler_step(material, cell, h, end)
        return back, back, _apart(back, cell, first), left, True
    return last, first, _apart(last, cell, first), left, False


@device
def _apart(last, cell, first):
    """Difference from what the first stage alone would have given, in fractions and temperature."""
    share = 1.0 / GAMMA
    off = abs(last.plus - cell.plus - share * (first.plus - cell.plus))
    off = max(off, abs(last.minus - cell.minus - share * (first.minus - cell.minus)))
    return max(off, abs(last.theta - cell.theta - share * (first.theta - cell.theta)) / 100.0)


@device
def strain_of_cell(material, cell):
    """eps [-] of a cell."""
    return strain_of(material, cell.sigma, cell.plus, cell.minus, cell.austenite)


@device
def elastic_energy(material, cell):
    """sigma^2 C/2 [J/m^3] of a cell."""
    c = compliance(material, cell.plus + cell.minus, cell.austenite)
    return 0.5 * cell.sigma * cell.sigma * c


@device
def step_works(material, before, after):
    """(work done on a cell, work of transformation) [J/m^3] in a step; their difference is that of elastic energy, exactly."""
    mean = 0.5 * (before.sigma + after.sigma)
    worked = mean * (strain_of_cell(material, after) - strain_of_cell(material, before))
    turned = (after.plus - after.minus) - (before.plus - before.minus)
    soft = compliance(material, after.plus + after.minus, after.austenite)
    soft -= compliance(material, before.plus + before.minus, before.austenite)
    squares = 0.25 * (before.sigma * before.sigma + after.sigma * after.sigma)
    return worked, mean * material.strain * turned + (mean * mean - squares) * soft
