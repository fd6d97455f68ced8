"""What a person asked of the bench: how hard, how deep, what was lost."""

from __future__ import annotations

from haptos.core.number_text import short_number as number
from haptos.results.result import Result

CONVENTION = "depth and normal of the reference, area of the sampled body"


def answer(result: Result) -> str:
    """Two or three sentences with numbers and units."""
    found = result.metrics
    if not found["peak_force_N"] > 0.0:
        return "The bodies never touched."
    first = (
        f"The bodies press with up to {number(found['peak_force_N'])} N at a depth of "
        f"{number(1e6 * found['peak_depth_m'])} um on {number(1e6 * found['peak_area_m2'])} mm^2 "
        f"({CONVENTION}), foundation modulus {number(found['modulus_Pa_per_m'])} Pa/m."
    )
    kind = result.config["motion"]["kind"]
    if kind == "drop":
        e = found["restitution"]
        parted = "They are still in contact at the end." if e != e else (
            f"They part after {number(1e3 * found['contact_time_s'])} ms with {number(e)} of their closing speed."
        )  # fmt: skip
        return f"{first} {parted}"
    share = found["lost_J"] / found["peak_elastic_J"]
    return (
        f"{first} The {kind} loses {number(found['lost_J'])} J, {number(100.0 * share)} % of the largest "
        f"elastic energy."
    )
