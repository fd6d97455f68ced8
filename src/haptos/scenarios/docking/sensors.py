"""Sensors of a docking: camera, distance sensors, drives, star tracker, gyro, and what they see of the truth."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from haptos.core.rotations import quaternion_product, rotation_matrices
from haptos.dynamics.joined.plant import Plant
from haptos.dynamics.sensing.pose_camera import PoseCamera, drawn_bias, is_in_glare
from haptos.dynamics.sensing.quantised import Quantised
from haptos.dynamics.sensing.readings import Reading, SensorFault
from haptos.dynamics.sensing.sensor import Chain, Disturbance, Sensor
from haptos.dynamics.sensing.star_tracker import Gyro, StarTracker
from haptos.dynamics.sensing.streams import Stream
from haptos.geometry.distance.reference_rays import ray_ways
from haptos.geometry.distance.section_rays import ray_hit
from haptos.scenarios.docking.config_sensors import WIDTHS
from haptos.scenarios.docking.model import BOOM, CHASER, CROWN, FACING, Model
from haptos.scenarios.docking.recordings import (
    CAMERA,
    DISTANCE,
    DRIVES,
    GYRO,
    TRACKER,
    replays,
)

Floats = NDArray[np.float64]
# Columns of the drives.
LENGTH, TENSION, SIDE, MOMENT, DRIVE, STROKE, CROWN_FORCE, SPREAD = range(8)
DEGREE, HOUR, ARCSECOND = math.radians(1.0), 3600.0, math.radians(1.0 / 3600.0)
UNTURNED = np.array([1.0, -1.0, -1.0, -1.0])
FACES_TOOL = np.diag([-1.0, -1.0, 1.0])  # axes of a nozzle that is aligned, in tip axes


def rotation_vector(q: Floats) -> Floats:
    """Rotation vector [rad] of a quaternion, turns up to pi."""
    q = q if q[0] >= 0.0 else -q
    size = float(np.linalg.norm(q[1:]))
    return np.asarray(
        2.0 * q[1:] if size < 1e-12 else q[1:] * (2.0 * math.atan2(size, q[0]) / size)
    )


@dataclass(frozen=True, eq=False)
class Truth:
    """What can be measured, at one time: the arguments of the sensors.

    pose   throat in tip axes [m], and turn of the nozzle from facing the tool [rad], tip axes
    """

    pose: Floats
    drives: Floats
    attitude: Floats
    rate: Floats
    nozzle: tuple[Floats, Floats] | None


def truth_of(model: Model, plant: Plant, sees_nozzle: bool = True) -> Truth:
    """The truth at the time of the plant; that of the nozzle only if something looks at it."""
    state, boom = plant.body(CHASER), plant.boom(BOOM)
    pose, nozzle = np.full(6, math.nan), None
    drives = np.array([
        boom.length, boom.tension, math.hypot(boom.force[1], boom.force[2]),
        math.hypot(boom.moment_root[1], boom.moment_root[2]), abs(boom.drive_force), 0.0, 0.0, 1.0,
    ])  # fmt: skip
    if model.slides:
        if sees_nozzle:
            r, q, _, _ = plant.relative(model.tip, model.throat)
            facing = quaternion_product(q, np.array(FACING) * UNTURNED)
            pose = np.concatenate([r, rotation_vector(np.array(facing))])
            nozzle = (r, rotation_matrices(q[None])[0])
        slide = plant.slide(CROWN)
        drives[STROKE:] = (slide.stroke, abs(slide.stroke_force), slide.spread)
    return Truth(pose, drives, rotation_vector(state.quaternion), state.rate_body, nozzle)


@dataclass(eq=False)
class Suite:
    """All sensors of a run, and a table that turns the ways of rays into the place of the crown."""

    model: Model
    sensors: dict[str, Sensor]
    rays: tuple[Floats, Floats] = field(init=False)
    table: tuple[Floats, Floats] = field(init=False)

    def __post_init__(self) -> None:
        given, rim = self.model.config.sensors.distance, self.model.config.tool.rim_m
        angles = np.radians([90.0, 210.0, 330.0])
        out = np.stack([np.zeros(3), np.cos(angles), np.sin(angles)], axis=1)
        a = math.radians(given.outward_deg)
        starts = given.radius_m * out + np.array([-rim, 0.0, 0.0])
        self.rays = (starts, math.sin(a) * out + np.array([math.cos(a), 0.0, 0.0]))
        places = np.linspace(-0.03, 0.35, 381)
        ways = np.array([self._known_way(np.array([x, 0.0, 0.0])) for x in places])
        seen = np.isfinite(ways)
        rising = np.maximum.accumulate(np.where(seen, ways, -1.0))  # a way is above 0
        use = seen & (ways >= rising) & np.concatenate([[True], np.diff(rising) > 0.0])
        self.table = (ways[use], places[use])

    def _known_way(self, r: Floats) -> float:
        """Way [m] of the first ray to an aligned nozzle without faults, whose throat is at r in tip axes."""
        starts, directions = (self.rays[0] - r) @ FACES_TOOL, self.rays[1] @ FACES_TOOL
        if self.model.config.nozzle.mesh_file is not None:
            return float(self._traced(starts[:1], directions[:1])[0])
        return ray_hit(self.model.shapes.wall, starts[0], directions[0])

    def _ways(self, r: Floats, dcm: Floats) -> Floats:
        """Ways [m] of the rays to the nozzle as it is, whose throat is at r and whose axes are dcm, in tip axes."""
        starts, directions = (self.rays[0] - r) @ dcm, self.rays[1] @ dcm
        starts = starts - np.array([0.0, self.model.config.nozzle.displaced_m, 0.0])
        if not self.model.shapes.is_round:
            return self._traced(starts, directions)
        wall = self.model.shapes.wall
        return np.array([ray_hit(wall, p, d) for p, d in zip(starts, directions, strict=True)])

    def _traced(self, starts: Floats, directions: Floats) -> Floats:
        reach = self.model.config.sensors.distance.reach_m
        return ray_ways(self.model.shapes.nozzle, starts, directions, reach)

    def crown_places(self, ways: Floats) -> Floats:
        """x [m] of the folded crown before the throat from each way; NaN if it saw nothing."""
        known, places = self.table
        if len(known) < 2:
            return np.full(3, math.nan)
        return np.where(np.isfinite(ways), np.interp(ways, known, places), math.nan)

    def sample(self, time: float, plant: Plant) -> None:
        """Take all samples that are due."""
        due = [name for name, sensor in self.sensors.items() if sensor.is_due(time)]
        if not due:
            return
        truth = truth_of(self.model, plant, CAMERA in due or DISTANCE in due)
        for name in due:
            sensor = self.sensors[name]
            if name in (CAMERA, DISTANCE) and truth.nozzle is None:
                sensor.sample(np.full(WIDTHS[name], math.nan), is_blinded=True)
            elif name == CAMERA:
                sensor.sample(truth.pose, is_blinded=self._glare(plant))
            elif name == DISTANCE:
                assert truth.nozzle is not None
                sensor.sample(self._ways(*truth.nozzle))
            else:
                sensor.sample(
                    {DRIVES: truth.drives, TRACKER: truth.attitude, GYRO: truth.rate}[name]
                )

    def _glare(self, plant: Plant) -> bool:
        orbit, glare = self.model.config.orbit, self.model.config.sensors.camera.glare_deg
        if orbit is None or orbit.sun is None or glare == 0.0:
            return False
        _, q = plant.pose(self.model.tip)
        sight = rotation_matrices(q[None])[0] @ np.array([1.0, 0.0, 0.0])
        return is_in_glare(sight, orbit.sun, math.radians(glare))

    def delivered(self, name: str, time: float) -> list[Reading]:
        return self.sensors[name].delivered(time)


def make_suite(model: Model) -> Suite:
    """Sensors of a file, each with its own stream of random numbers."""
    config = model.config
    given, recorded = config.sensors, replays(config)
    streams = {name: Stream.named(config.seed, f"docking {name}") for name in WIDTHS}
    cam, dist, drive = given.camera, given.distance, given.drives
    camera = PoseCamera(
        cam.range_sigma_m, cam.range_sigma_per_m, cam.lateral_sigma, cam.angle_sigma_deg * DEGREE,
        drawn_bias(cam.bias_m, cam.bias_deg * DEGREE, streams[CAMERA]), cam.blind_range_m,
    )  # fmt: skip
    force, step = drive.force_sigma_N, drive.force_step_N
    drives = Quantised(
        sigma=(0.0, force, force, drive.moment_sigma_N_m, force, 0.0, force, 0.0),
        step=(
            drive.length_step_m,
            step,
            step,
            0.0,
            step,
            drive.length_step_m,
            step,
            drive.spread_step,
        ),
    )
    gyro = Gyro(
        given.gyro.random_walk_deg_per_sqrt_h * DEGREE / math.sqrt(HOUR), given.gyro.bias_deg_per_h * DEGREE / HOUR,
        given.gyro.bias_walk_deg_per_h_per_sqrt_s * DEGREE / HOUR, 1.0 / given.gyro.rate_Hz,
    )  # fmt: skip
    laws: dict[str, Disturbance] = {
        CAMERA: camera, DISTANCE: Quantised(dist.sigma_m, dist.step_m, reach=dist.reach_m), DRIVES: drives,
        TRACKER: StarTracker(given.star_tracker.sigma_arcsec * ARCSECOND), GYRO: gyro,
    }  # fmt: skip
    sensors = {
        name: Sensor(name, _chain(getattr(given, name)), streams[name], law, _faults(getattr(given, name)),
                     recorded.get(name))
        for name, law in laws.items()
    }  # fmt: skip
    return Suite(model, sensors)


def _chain(table: Any) -> Chain:
    return Chain(
        1.0 / table.rate_Hz, getattr(table, "delay_s", 0.0), getattr(table, "dropout", 0.0),
        getattr(table, "burst", 1), table.mode,
    )  # fmt: skip


def _faults(table: Any) -> tuple[SensorFault, ...]:
    return tuple(SensorFault(one.kind, one.at_s, one.offset) for one in table.faults)
