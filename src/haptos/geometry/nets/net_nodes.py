"""Nodes and elements of a net: links cut into elements, masses, bullets, closing lines.

    m_i = k_i sum_{links j at i} rho_l,j L_j / 2                                      Eq. (2.59)
    m_b = BR m_net / (N_b (1 - BR)),   BR = N_b m_b / (m_net + N_b m_b)               Eq. (2.38)

    rho_l  linear density [kg/m]        L_j  natural length of an element at node i [m]
    k_i    knot ratio [-]: real mass of a knot over that of its threads; 1 for nodes within links
    BR     bullet ratio [-], in (0, 1)  N_b  number of bullets
A link with n nodes has n + 1 elements of equal natural length. Nodes are numbered knots first, then
the nodes of each link from its first knot to its second.
Source: [Salvi2014] sections 2.5.3, 2.6.3 and 5.4.1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from haptos.core.errors import GeometryError
from haptos.geometry.nets.net_topology import (
    BULLET,
    THREAD_CLASSES,
    Floats,
    Integers,
    NetMesh,
)

CITES: tuple[str, ...] = ("Salvi2014",)


@dataclass(frozen=True, eq=False)
class NetNodes:
    """A net cut into elements, deployed, in N axes.

    positions      [m], (n, 3); the first `knot_count` are the knots of the mesh
    masses         [kg], (n,)
    elements       (e, 2); an index n + b stands for the connection point of bullet b, no node
    lengths        [m], (e,), natural              element_class  (e,), one of the thread classes
    element_link   (e,), link it belongs to; bullet links follow those of the mesh
    bullet_knots   (b,), mouth knot of every bullet, in order around the mouth
    bullet_points  [m], (b, 3), deployed connection points of the bullets
    """

    positions: Floats
    masses: Floats
    elements: Integers
    lengths: Floats
    element_class: Integers
    element_link: Integers
    knot_count: int
    tether_knot: int
    bullet_knots: Integers
    bullet_points: Floats

    def __post_init__(self) -> None:
        for value in vars(self).values():
            if isinstance(value, np.ndarray):
                value.setflags(write=False)

    @property
    def node_count(self) -> int:
        """Knots, and nodes within links; connection points of bullets are none."""
        return len(self.positions)

    @property
    def mass(self) -> float:
        """Of all threads and knots, without bullets [kg]."""
        return math.fsum(self.masses)


def net_nodes(
    mesh: NetMesh,
    nodes_per_link: int,
    linear_density: ArrayLike,
    *,
    bullets: int = 4,
    bullet_link_length: float = 0.0,
    knot_ratio: float = 1.0,
    tether_knot_ratio: float = 1.0,
    bullet_knot_ratio: float = 1.0,
) -> NetNodes:
    """Nodes, elements and masses of a net.

    linear_density      rho_l [kg/m] of normal, reinforced and (if there are bullet links) bullet
                        threads, in the order of the thread classes
    bullets             0, as many as the mesh has corners, or twice as many with its sides
    bullet_link_length  [m]; 0: bullets hold their mouth knots directly and no links are made
    The mass of the half element at a bullet's connection point is the bullet's own and not counted.
    """
    where = f"nodes of net {mesh.kind}"
    if not isinstance(nodes_per_link, (int, np.integer)) or nodes_per_link < 0:
        found = f"nodes_per_link = {nodes_per_link}"
        raise GeometryError(where, found, "a whole number, 0 or more", "nodes_per_link = 1")
    held = bullet_knots(mesh, bullets)
    density = _densities(where, linear_density, 3 if bullet_link_length else 2)
    positions, elements, lengths, link = cut_links(
        mesh.knots, mesh.links, mesh.lengths, int(nodes_per_link)
    )
    classes = mesh.link_class[link]
    points = mesh.knots[held]
    if bullet_link_length:
        points = points + bullet_link_length * _outward(mesh, held)
        positions, elements, lengths, classes, link = _with_bullet_links(
            mesh, held, points, int(nodes_per_link), bullet_link_length,
            (positions, elements, lengths, classes, link),
        )  # fmt: skip
    ratios = np.ones(len(positions))
    ratios[: mesh.knot_count] = knot_ratio
    ratios[held] = bullet_knot_ratio
    ratios[mesh.tether_knot] = tether_knot_ratio
    if not (np.isfinite(ratios) & (ratios > 0.0)).all():
        raise GeometryError(where, "a knot ratio of 0 or less", "above zero", "knot_ratio = 1")
    masses = ratios * node_masses(elements, density[classes] * lengths, len(positions))
    return NetNodes(
        positions, masses, elements, lengths, classes, link, mesh.knot_count, mesh.tether_knot,
        held, points,
    )  # fmt: skip


def cut_links(
    knots: Floats, links: Integers, lengths: Floats, nodes: int
) -> tuple[Floats, Integers, Floats, Integers]:
    """(positions [m], elements, natural lengths [m], link of each element), `nodes` per link."""
    count = len(links)
    share = np.arange(1, nodes + 1) / (nodes + 1.0)
    first, second = knots[links[:, 0]], knots[links[:, 1]]
    inner = first[:, None] + share[None, :, None] * (second - first)[:, None]
    numbers = len(knots) + np.arange(count * nodes, dtype=np.int64).reshape(count, nodes)
    chain = np.concatenate([links[:, :1], numbers, links[:, 1:]], axis=1)
    elements = np.stack([chain[:, :-1], chain[:, 1:]], axis=2).reshape(-1, 2)
    link = np.repeat(np.arange(count, dtype=np.int64), nodes + 1)
    positions = np.concatenate([knots, inner.reshape(-1, 3)])
    return positions, elements, lengths[link] / (nodes + 1.0), link


def node_masses(elements: Integers, element_mass: Floats, node_count: int) -> Floats:
    """Half of every element's mass [kg] at both ends, (node_count,); ends beyond are left out."""
    masses = np.zeros(max(node_count, int(elements.max()) + 1))
    np.add.at(masses, elements[:, 0], 0.5 * element_mass)
    np.add.at(masses, elements[:, 1], 0.5 * element_mass)
    return masses[:node_count]  # Eq. (2.59)


def bullet_knots(mesh: NetMesh, bullets: int) -> Integers:
    """Mouth knots of the bullets, in order around the mouth: corners, or corners and sides."""
    corners, sides = mesh.corner_knots, mesh.side_knots
    possible = {0: corners[:0], len(corners): corners}
    if len(sides) == len(corners) > 0:
        possible[2 * len(corners)] = np.stack([corners, sides], axis=1).reshape(-1)
    if bullets not in possible:
        allowed = " or ".join(str(number) for number in sorted(possible))
        hint = "8 strings or more make room for 8 bullets" if bullets == 8 else "4 bullets"
        raise GeometryError(f"net {mesh.kind}", f"{bullets} bullets", allowed, hint)
    return possible[bullets]


def bullet_mass(bullet_ratio: float, net_mass: float, bullets: int) -> float:
    """Mass m_b [kg] of each of the bullets from the bullet ratio; net_mass [kg] without bullets."""
    if not 0.0 < bullet_ratio < 1.0:
        found, allowed = f"bullet ratio {bullet_ratio}", "above 0 and below 1"
        raise GeometryError("bullets", found, allowed, "bullet ratio 0.5: half of all mass")
    if bullets < 1 or not net_mass > 0.0:
        found = f"{bullets} bullets for a net of {net_mass} kg"
        raise GeometryError("bullets", found, "1 or more, and a mass", "give the net threads")
    return bullet_ratio * net_mass / (bullets * (1.0 - bullet_ratio))  # Eq. (2.38)


def _outward(mesh: NetMesh, held: Integers) -> Floats:
    """Unit vectors across the shot, away from the middle of the held knots, (b, 3), N axes."""
    away = mesh.knots[held] - mesh.knots[held].mean(axis=0)
    away[:, 0] = 0.0
    size = np.linalg.norm(away, axis=1, keepdims=True)
    if not (size > 0.0).all():
        hint = "attach the bullets directly"
        raise GeometryError(f"net {mesh.kind}", "bullets in the middle", "a wide mouth", hint)
    return away / size


def _with_bullet_links(
    mesh: NetMesh,
    held: Integers,
    points: Floats,
    nodes: int,
    length: float,
    net: tuple[Floats, Integers, Floats, Integers, Integers],
) -> tuple[Floats, Integers, Floats, Integers, Integers]:
    """The same with a link from each held knot to its bullet's connection point."""
    if not (math.isfinite(length) and length > 0.0):
        found = f"bullet_link_length = {length}"
        raise GeometryError("bullet links", found, "0, or a length above it", "0 for none")
    positions, elements, lengths, classes, link = net
    count, before = len(held), len(positions)
    total = before + count * nodes
    ends = np.concatenate([mesh.knots[held], points])
    pairs = np.stack([np.arange(count), count + np.arange(count)], axis=1)
    cut, own, own_lengths, own_link = cut_links(ends, pairs, np.full(count, length), nodes)
    renumbered = np.concatenate([held, total + np.arange(count), np.arange(before, total)])
    return (
        np.concatenate([positions, cut[2 * count :]]),
        np.concatenate([elements, renumbered[own]]),
        np.concatenate([lengths, own_lengths]),
        np.concatenate([classes, np.full(len(own), BULLET, dtype=np.int64)]),
        np.concatenate([link, mesh.link_count + own_link]),
    )


def _densities(where: str, given: ArrayLike, needed: int) -> Floats:
    """Linear densities [kg/m] of the first thread classes, as many as needed or more."""
    density = np.atleast_1d(np.asarray(given, dtype=float))
    if len(density) < needed or not (np.isfinite(density[:needed]) & (density > 0)[:needed]).all():
        names = ", ".join(THREAD_CLASSES[:needed])
        found, allowed = f"linear_density = {density}", f"one above zero for each of {names}"
        raise GeometryError(where, found, allowed, "give kg/m per thread class")
    return density
