"""What a net meets: the target's surface and the numbers of its contacts."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from haptos.core.errors import ConfigError
from haptos.core.rotations import rotation_matrices
from haptos.core.units import DEGREE, LENGTH_UNITS
from haptos.dynamics.assembly import AssembledBody
from haptos.geometry.distance.distance_mesh import solid_mesh
from haptos.geometry.mesh.cuboids import Cuboid, cuboid_body
from haptos.geometry.mesh.face_polygons import face_polygons
from haptos.geometry.mesh.mass_properties import mass_properties
from haptos.geometry.mesh.mesh_files import read_mesh
from haptos.geometry.nets.net_files import read_net_graph, read_net_tables
from haptos.geometry.nets.net_mesh import net_mesh
from haptos.geometry.nets.net_topology import NetMesh
from haptos.scenarios.net.config import Config
from haptos.scenarios.proportions import bulk, require

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def mesh_of(config: Config) -> NetMesh:
    """The net as generated, or as read from the user's files."""
    net = config.net
    if net.kind != "file":
        return net_mesh(
            net.kind, net.width_m, net.height_m, net.strings, net.rings, depth=net.depth_m,
            diagonals=net.diagonals,
        )  # fmt: skip
    if net.graph_file is not None:
        return read_net_graph(net.graph_file)
    if net.knots_file is None or net.links_file is None:
        found = "kind = 'file' without files"
        allowed = "knots_file and links_file, or graph_file"
        raise ConfigError(
            "[net]", found, allowed, "knots_file = 'knots.csv', links_file = 'links.csv'"
        )
    return read_net_tables(net.knots_file, net.links_file)


def target_of(config: Config) -> tuple[AssembledBody, Floats, Integers] | None:
    """(body, vertices [m], faces) of the target in its principal axes; None without one."""
    given = config.target
    if given is None:
        return None
    if given.boxes:
        boxes = [
            Cuboid(box.size_m, box.mass_kg, box.position_m, box.attitude_quaternion)
            for box in given.boxes
        ]
        made = cuboid_body(boxes, where="[target]")
        mass, moments, vertices, faces = made.mass, made.moments, made.vertices, made.faces
        dcm_PG = made.dcm_PG
    else:
        mass, moments, vertices, faces, dcm_PG = _mesh_target(config)
    attitude = np.asarray(given.attitude_quaternion, dtype=float)
    dcm_NG = rotation_matrices(attitude / np.linalg.norm(attitude))
    dcm_NP = dcm_NG @ dcm_PG.T
    rate = dcm_PG @ (np.asarray(given.rate_deg_per_s) * DEGREE)
    place = np.array([given.distance_m, *given.offset_m])
    still = given.holds_place
    body = AssembledBody(
        "target", math.inf if still else mass,
        np.full(3, math.inf) if still else np.asarray(moments, dtype=float),
        place, np.asarray(given.velocity_m_per_s, dtype=float), _quaternion(dcm_NP), rate,
    )  # fmt: skip
    return body, vertices, faces


def _mesh_target(config: Config) -> tuple[float, Floats, Floats, Integers, Floats]:
    """(mass [kg], moments [kg m^2], vertices [m], faces, dcm_PG) of a target of faces or a file."""
    given = config.target
    assert given is not None
    assert given.mass_kg is not None
    if given.file is not None:
        vertices, faces = read_mesh(given.file)
        vertices = vertices * LENGTH_UNITS[given.unit]
        solid_mesh(vertices, faces, given.file)  # refuses what is not one closed surface
    else:
        plane = face_polygons(given.vertices_m, given.faces, where="[target] faces")
        vertices, faces = plane.vertices, plane.triangles
    whole = mass_properties(vertices, faces)
    require(bulk("[target] mass_kg", "a target", given.mass_kg, whole.volume))
    moments, axes = np.linalg.eigh(given.mass_kg * whole.inertia_per_mass)
    if np.linalg.det(axes) < 0.0:
        axes[:, 2] *= -1.0
    return given.mass_kg, moments, (vertices - whole.centroid) @ axes, faces, axes.T


def _quaternion(dcm: Floats) -> Floats:
    """quat_NB [-], scalar first, of dcm_NB."""
    from scipy.spatial.transform import Rotation

    return np.asarray(Rotation.from_matrix(dcm).as_quat(scalar_first=True))
