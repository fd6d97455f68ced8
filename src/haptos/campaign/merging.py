"""A file laid over the one it is based on: tables merge key by key, everything else replaces."""

from __future__ import annotations

from typing import Any

TAGS = ("shape", "model", "kind")  # keys that say which other keys a table has
# Keys that state the same quantity in two ways: giving one drops the other one of the base file.
ALTERNATIVES = (
    ("attitude_quaternion", "attitude_yaw_pitch_roll_deg"),
    ("damping_N_s_per_m", "restitution"),
    ("edge_m", "density_kg_per_m3"),
    ("mu_m3_per_s2", "density_kg_per_m3"),
)


def is_variation(value: Any) -> bool:
    """Whether an inline table says how a key varies, rather than being a table of keys."""
    return isinstance(value, dict) and ("distribution" in value or "sweep" in value)


def merged(original: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """`original` with `changes` laid over it; neither is altered.

    A table whose tag (shape, model, kind) changes is another kind of thing and replaces the whole
    table. A key that states a quantity in another way (ALTERNATIVES) drops the way of the original.
    """
    if any(
        tag in original and tag in changes and _differ(original[tag], changes[tag]) for tag in TAGS
    ):
        return dict(changes)
    dropped = {
        name
        for group in ALTERNATIVES
        if any(key in changes for key in group)
        for name in group
        if name not in changes
    }
    result = {key: value for key, value in original.items() if key not in dropped}
    for key, value in changes.items():
        result[key] = _laid_over(result.get(key), value)
    return result


def _differ(old: Any, new: Any) -> bool:
    return not is_variation(new) and bool(old != new)


def _laid_over(old: Any, new: Any) -> Any:
    tables = isinstance(old, dict) and isinstance(new, dict)
    return merged(old, new) if tables and not (is_variation(old) or is_variation(new)) else new
