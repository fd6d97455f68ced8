"""A net over a small body: axes that turn with it, its gravity and spin, and the ground to fall on.

N axes are fixed to the body here: their origin is where the chaser starts, x the direction of the shot.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from haptos.core.errors import ConfigError
from haptos.dynamics.build import over_ground
from haptos.dynamics.contacts.ground_arrays import Ground
from haptos.dynamics.field import body_field
from haptos.dynamics.motion import Motion
from haptos.dynamics.system import Field, System
from haptos.geometry.distance.surface import direction, smooth_gap_and_gradient
from haptos.scenarios.net.config import Config
from haptos.scenarios.net.surfaces import pairs_of
from haptos.scenarios.plausibility import check_release
from haptos.scenarios.worlds.config import UniformGravity
from haptos.scenarios.worlds.gravity import spin_of, spin_table
from haptos.scenarios.worlds.world import World, checked_radius, world_of

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class SiteFrame:
    """Where N axes are in A: x_A = dcm_NA^T (x_N + arm).

    dcm_NA  (3, 3)      arm  (3,) of the N origin from that of A [m], N axes       world  ground and gravity
    """

    dcm_NA: Floats
    arm: Floats
    world: World

    def to_A(self, places: Floats) -> Floats:
        """Places (n, 3) [m] in A axes."""
        return np.asarray((places + self.arm) @ self.dcm_NA)


def site_frame(config: Config) -> SiteFrame:
    """Frame of a net over a small body; refuses a site too far from it or in the ground."""
    tables, site = config.world, config.site
    assert tables is not None
    assert site is not None
    radius = checked_radius(tables)
    if radius > 0.0 and not isinstance(tables.gravity, UniformGravity):
        check_release(site.position_m, radius)
    world = world_of(tables)
    gap, gradient = smooth_gap_and_gradient(world.surface, site.position_m)
    size = 0.5 * math.hypot(*config.chaser.size_m)
    if gap < size:
        raise ConfigError(
            "[site] position_m", f"a chaser whose centre is {gap:.4g} m above ground",
            f"at least {size:.4g} m, half its diagonal", "start higher",
        )  # fmt: skip
    given = site.toward or tuple(-part for part in direction(gradient))
    x = np.array(given) / math.hypot(*given)
    up = np.array([0.0, 0.0, 1.0]) if abs(x[2]) < 0.9 else np.array([1.0, 0.0, 0.0])
    y = np.cross(up, x)
    y /= np.linalg.norm(y)
    dcm = np.ascontiguousarray(np.stack([x, y, np.cross(x, y)]))
    return SiteFrame(dcm, dcm @ np.array(site.position_m), world)


def small_body_field(config: Config) -> Field:
    """Field of the world of a scenario."""
    frame, tables = site_frame(config), config.world
    assert tables is not None
    spin, moments = spin_of(tables.spin)
    table = None
    if moments is not None:
        spacing, rows = spin_table(spin, moments, config.run.duration_s)
        turned = [rows[:, first : first + 3] @ frame.dcm_NA.T for first in (0, 3)]
        table = spacing, np.concatenate(turned, axis=1)
    return body_field(
        frame.world.gravity, frame.dcm_NA @ spin, arm=frame.arm, axes=frame.dcm_NA, table=table
    )


def grounded(
    config: Config, net: System, motion: Motion, target: Floats | None
) -> tuple[System, Motion]:
    """The net above the ground of its world, if it has one; target: its vertices [m], own axes."""
    if config.world is None:
        return net, motion
    frame = site_frame(config)
    pairs = np.ascontiguousarray(pairs_of(config, 0.5 * config.threads.diameter_m)[:1])
    reaches = body_reaches(config, len(motion.bodies.place), target)
    given = (frame.world.surface, frame.arm, frame.dcm_NA, pairs, reaches)
    return over_ground(net, motion, Ground(config.contact.is_on, *given))


def body_reaches(config: Config, count: int, target: Floats | None) -> Floats:
    """(count,) half the least side [m] of chaser, target and own bodies; 0 of bullets."""
    sides = [min(config.chaser.size_m)]
    sides += [] if target is None else [float(np.ptp(target, axis=0).min())]
    sides += [min(body.size_m) for body in config.bodies]
    return 0.5 * np.array([*sides, *([0.0] * (count - len(sides)))])


def body_attitude(frame: SiteFrame) -> Floats:
    """quat_NA of the small body."""
    from scipy.spatial.transform import Rotation

    return np.asarray(Rotation.from_matrix(frame.dcm_NA).as_quat(scalar_first=True))
