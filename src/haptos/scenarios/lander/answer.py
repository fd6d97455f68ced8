"""What a person asked of a lander run: where it rests, when, and what it went through."""

from __future__ import annotations

from haptos.core.number_text import short_number as number
from haptos.core.outcome import Outcome
from haptos.results.result import Result

# impacts or phases of contact after which rounding decides where a probe with corners rests; assumed: `run.repeats = 2`
# gives 1e-6 m after 11 of them (`lander`), 3 m after 30 (`lander-itokawa`), 10 m after 50 (`lander-bilobe`)
MANY = 20


def answer(result: Result) -> str:
    """Two or three sentences with numbers and units."""
    return " ".join(
        filter(None, (_end(result), _contact(result), _losses(result), _scatter(result)))
    )


def _end(result: Result) -> str:
    metrics = result.metrics
    if result.ended is Outcome.SETTLED:
        place = ", ".join(number(metrics[f"rest_{axis}_m"], 4) for axis in "xyz")
        slope = metrics["slope_at_rest_deg"]
        ground = "" if slope != slope else f" on ground that slopes by {number(slope)} deg"
        return (
            f"The lander comes to rest {number(metrics['settle_time_s'], 4)} s after its release at "
            f"({place}) m{ground}, {number(metrics['displacement_m'])} m from where it was released."
        )
    end, speed = number(metrics["end_time_s"], 4), number(metrics["end_speed_m_per_s"])
    return {
        Outcome.ESCAPED: f"The lander escapes: after {end} s it leaves with {speed} m/s.",
        Outcome.MISSED: f"The lander never touches the ground{_why_missed(result)} {end} s; it ends at {speed} m/s.",
        Outcome.TIME_OVER: f"The lander is not at rest after {end} s: it still moves at {speed} m/s.",
    }.get(result.ended, f"The motion could not be followed beyond {end} s.")


def _why_missed(result: Result) -> str:
    """Whether the time was over or it went too far away."""
    is_over = result.metrics["end_time_s"] >= result.config["run"]["duration_s"] * (1.0 - 1e-9)
    return " within" if is_over else ": it is beyond the distance of escape after"


def _contact(result: Result) -> str:
    metrics = result.metrics
    if metrics["first_touch_time_s"] != metrics["first_touch_time_s"]:
        return ""
    first = (
        f"It first touches after {number(metrics['first_touch_time_s'], 4)} s at "
        f"{number(metrics['first_touch_speed_m_per_s'])} m/s"
    )
    count = metrics["impacts"] or metrics["contact_phases"]
    kind = "impact" if metrics["impacts"] else "phase of contact"
    plural = kind if count == 1 else kind.replace("impact", "impacts").replace("phase", "phases")
    hops = f" and {int(metrics['hop_count'])} hops" if metrics["hop_count"] else ""
    path = number(metrics["path_length_m"])
    pressed = result.config["contact"].get("law") == "foundation"
    depth = f" It presses at most {number(1e3 * metrics['deepest_m'])} mm deep." if pressed else ""
    verb = "follows" if count == 1 and not hops else "follow"
    return f"{first}; {int(count)} {plural}{hops} {verb} along {path} m of path.{depth}"


def _losses(result: Result) -> str:
    taken = {name: loss for name, loss in result.ledger.dissipated.items() if loss > 0.0}
    if not taken:
        return ""
    largest = sorted(taken, key=lambda name: -taken[name])[:2]
    words = " and ".join(f"{name} {number(taken[name])} J" for name in largest)
    return f"Most energy goes to {words}."


def _scatter(result: Result) -> str:
    """That one place of rest is one of many; nothing if the run was repeated, or bounced as a ball on smooth ground."""
    metrics, config = result.metrics, result.config
    is_ball = config["probe"]["shape"] == "sphere" and config["surface"]["shape"] in (
        "plane",
        "sphere",
        "ellipsoid",
    )
    if result.ended is not Outcome.SETTLED or is_ball or config["run"].get("repeats", 0) > 0:
        return ""
    if not (metrics["impacts"] or metrics["contact_phases"]) >= MANY:
        return ""
    return "After so many impacts this place is one of many: run.repeats or a campaign tells how far they scatter."
