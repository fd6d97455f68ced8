"""Rules that several tables of scenario files share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import numpy as np
from pydantic import AfterValidator
from pydantic_core import PydanticCustomError

from haptos.core.errors import ConfigError
from haptos.materials.soils import soil
from haptos.materials.threads import thread_material
from haptos.scenarios.schema import Table, Text, Vector3, refused

ROUNDING = 1e-9  # [-] a tensor typed with ten digits may miss symmetry and triangles by this much
SHORTEST = 1e-6  # [-] length of a direction or quaternion below which it points nowhere
Matrix3 = tuple[Vector3, Vector3, Vector3]


def _in(table: Callable[[str], object]) -> AfterValidator:
    """Check of a name by what looks it up: a name that is not in the table is refused where its key stands."""

    def known(name: str) -> str:
        try:
            table(name)
        except ConfigError as error:
            is_guess = error.hint.startswith("did you mean")
            hint = error.hint if is_guess else "choose one of these, or give the numbers"
            raise refused(error.found, error.allowed, hint) from None
        return name

    return AfterValidator(known)


FibreName = Annotated[Text, _in(thread_material)]
SoilName = Annotated[Text, _in(soil)]


def one_of(table: Table, first: str, second: str) -> PydanticCustomError:
    """Refusal of both or neither of two keys that say the same in two ways."""
    allowed = f"exactly one of {first} and {second}"
    if getattr(table, first) is None:
        return refused("neither of the two", allowed, f"give {first} or {second}")
    return refused("both of the two", allowed, f"remove {first} or {second}")


def no_length(key: str, given: tuple[float, ...]) -> PydanticCustomError:
    """Refusal of a direction or quaternion that points nowhere."""
    hint = "[1, 0, 0, 0] for no turn" if len(given) == 4 else "[0, 0, 1] for the z axis"
    return refused(f"{key} = {list(given)}", "some length", hint)


def check_inertia(given: np.ndarray, key: str) -> None:
    """Refuse tensors no mass distribution can have."""
    tensor = np.diag(given) if given.ndim == 1 else given
    if not np.allclose(tensor, tensor.T, rtol=ROUNDING, atol=0.0):
        raise refused(
            f"{key} that is not symmetric", "a symmetric tensor", "mirror the off-diagonals"
        )
    a, b, c = np.linalg.eigvalsh(tensor)
    if a <= 0.0:
        found = f"{key} with a principal moment of {a:.6g}"
        raise refused(found, "principal moments > 0", "check the signs of the tensor")
    if c > (a + b) * (1.0 + ROUNDING):
        raise refused(
            f"{key} with principal moments {a:.6g}, {b:.6g}, {c:.6g}",
            "each moment at most the sum of the other two (triangle inequality)",
            "give moments a body can have; for a solid ball all three are equal",
        )
