"""What every scenario file shares: frozen tables that refuse unknown keys and odd numbers."""

from __future__ import annotations

from typing import Annotated, Any, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, Strict
from pydantic_core import PydanticCustomError

LARGEST, SMALLEST = 1e30, 1e-30  # beyond, a square or an inverse could leave the range of a float


def _not_huge(value: float) -> float:
    if abs(value) > LARGEST:
        raise PydanticCustomError("huge", "at most 1e30 in size")
    return value


def _not_tiny(value: float) -> float:
    if value < SMALLEST:
        raise PydanticCustomError("tiny", "at least 1e-30")
    return value


Number = Annotated[float, Strict(), Field(allow_inf_nan=False), AfterValidator(_not_huge)]
Positive = Annotated[Number, Field(gt=0.0), AfterValidator(_not_tiny)]
NotNegative = Annotated[Number, Field(ge=0.0)]
Fraction = Annotated[Number, Field(gt=0.0, le=1.0), AfterValidator(_not_tiny)]
Whole = Annotated[int, Strict()]
Vector3 = tuple[Number, Number, Number]
PositiveVector3 = tuple[Positive, Positive, Positive]
Quaternion = tuple[Number, Number, Number, Number]
Text = Annotated[str, Strict()]


def refused(found: str, allowed: str, hint: str) -> PydanticCustomError:
    """Error for a rule that a single key's type cannot tell; raised inside a validator."""
    parts = {"found": found, "allowed": allowed, "hint": hint}
    return PydanticCustomError("rule", "{found}; allowed: {allowed}; try: {hint}", parts)


def _one_line(text: str) -> str:
    """The text, if a terminal can print it in a line."""
    if text.isprintable():
        return text
    raise refused(
        ascii(text),
        "one line of printable characters",
        "leave out line ends and control characters",
    )


Line = Annotated[Text, AfterValidator(_one_line)]


class Table(BaseModel):
    """One table of a scenario file."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class ScenarioConfig(Table):
    """Keys every scenario file has."""

    schema_version: Annotated[Whole, Field(ge=1, le=1)] = Field(
        default=1,
        alias="schema",
        description="version of the file format; 1 is the only one so far",
    )
    scenario: Text
    name: Annotated[Text, Field(max_length=200)] = ""
    seed: Annotated[Whole, Field(ge=0, lt=2**63)] = 0

    def as_table(self) -> dict[str, Any]:
        """Plain mapping that reads back to an equal configuration."""
        return self.model_dump(mode="json", by_alias=True, exclude_none=True)

    @classmethod
    def read_back(cls, table: dict[str, Any]) -> Self:
        """The configuration that a stored result holds, of this version or an earlier one."""
        return cls.model_validate(cls.of_today(table))

    @classmethod
    def of_today(cls, table: dict[str, Any]) -> dict[str, Any]:
        """A stored configuration without what earlier versions wrote and this one refuses in files."""
        return table
