"""What a person asked of a lift-off map: how fast is safe, where is the worst place, which limits follow."""

from __future__ import annotations

from haptos.core.number_text import short_number as number
from haptos.results.result import Result


def answer(result: Result) -> str:
    """Two or three sentences with numbers and units."""
    metrics = result.metrics
    loose = 100.0 * (1.0 - metrics["held_share"])
    spun = f"Nothing stays at rest on {number(loose)} % of the ground. " if loose > 0.0 else ""
    least = (
        f"{spun}The lowest speed of lift-off on the body is {number(metrics['least_speed_min_m_per_s'])} m/s; "
        f"half of the ground holds what moves below {number(metrics['least_speed_q50_m_per_s'])} m/s "
        "in any direction."
    )
    place = (
        f"At latitude {number(metrics['place_latitude_deg'])} deg, longitude "
        f"{number(metrics['place_longitude_deg'])} deg things leave the ground from "
        f"{number(metrics['place_speed_m_per_s'])} m/s on in the azimuth "
        f"{number(metrics['place_azimuth_deg'])} deg (from east over north)."
    )
    wheels = (
        f"Wheels may turn at {number(metrics['wheel_limit_median_m_per_s'])} m/s in the median of the "
        f"{number(100.0 * metrics['wheel_open_share'])} % of the ground that is open to them."
    )
    return " ".join((least, place, wheels))
