"""Tables of a net scenario for what surfaces are like: parts of the target, numbers in series."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from haptos.scenarios.schema import (
    Fraction,
    NotNegative,
    Number,
    Positive,
    Table,
    Text,
    Whole,
    refused,
)

# Kinds of what touches, by their numbers in the kernel's tables, and what each is like unless given.
KINDS = ("threads", "bullets", "reinforced", "tether")
THREADS, BULLETS, REINFORCED_KIND, TETHER_KIND = range(4)
LIKE = (THREADS, BULLETS, THREADS, THREADS)
SIDES = ("+x", "+y", "+z", "-x", "-y", "-z")  # of a box, in the order of its faces


class OwnNumbers(Table):
    """Contact numbers of one surface, to be combined in series with those of another."""

    stiffness_N_per_m1p5: Positive = Field(description="k")
    damping_N_s_per_m2p5: NotNegative = Field(default=0.0, description="lambda")
    friction: NotNegative = Field(default=0.3, description="the mean of both counts; assumed")
    slip_speed_m_per_s: Positive = Field(default=1.0e-4, description="the mean of both counts")


class SurfacesInSeries(Table):
    """One set of numbers per surface, combined in series, in place of numbers of pairs."""

    threads: OwnNumbers
    bullets: OwnNumbers
    target: OwnNumbers


class ContactPair(Table):
    """Numbers of one kind of thread, or of bullets, on one surface; they go before all others."""

    surface: Text = Field(default="target", description="name of [[target.surfaces]], or target")
    of: Literal["threads", "bullets", "reinforced", "tether"] = Field(
        default="threads", description="what touches it; threads are those that are neither other"
    )
    friction: NotNegative | None = Field(default=None, description="of the pair")
    stiffness_N_per_m1p5: Positive | None = Field(default=None, description="k of the pair")
    alpha_s_per_m: NotNegative | None = Field(
        default=None, description="of restitution 1 - alpha v"
    )
    restitution: Fraction | None = Field(
        default=None, description="nominal, at any speed, in place of alpha"
    )


class TargetSurface(Table):
    """A part of the target with numbers of its own; those left out are as of the rest."""

    name: Annotated[Text, Field(min_length=1, max_length=40)] = Field(description="of this part")
    boxes: tuple[Annotated[Whole, Field(ge=0)], ...] = Field(
        default=(), description="of the target, from 0"
    )
    sides: tuple[Literal["+x", "+y", "+z", "-x", "-y", "-z"], ...] = Field(
        default=(), description="of these boxes, of all boxes if none are named"
    )
    faces: tuple[Annotated[Whole, Field(ge=0)], ...] = Field(
        default=(), description="of target.faces, or triangles of target.file, from 0"
    )
    friction: NotNegative | None = Field(default=None, description="of threads on it")
    bullet_friction: NotNegative | None = Field(default=None, description="of bullets on it")
    stiffness_N_per_m1p5: Positive | None = Field(default=None, description="k of threads on it")
    bullet_stiffness_N_per_m1p5: Positive | None = Field(default=None, description="of bullets")
    modulus_Pa: Positive | None = Field(default=None, description="of its skin")
    alpha_s_per_m: NotNegative | None = Field(
        default=None, description="of restitution 1 - alpha v"
    )
    restitution: Fraction | None = Field(
        default=None, description="nominal, at any speed, in place of alpha"
    )
    own: OwnNumbers | None = Field(default=None, description="in series, with [contact.series]")
    drag_coefficient: NotNegative | None = Field(default=None, description="of air")
    reflection: Annotated[Number, Field(ge=0.0, le=2.0)] | None = Field(
        default=None, description="of light: 1 black, 2 a mirror"
    )

    @model_validator(mode="after")
    def _names_a_part(self) -> TargetSurface:
        if not (self.boxes or self.sides or self.faces):
            raise refused(
                f"surface '{self.name}' of nothing", "boxes, sides or faces", "boxes = [0]"
            )
        if self.faces and (self.boxes or self.sides):
            raise refused("faces beside boxes or sides", "one of them", "remove faces")
        return self
