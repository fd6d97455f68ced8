"""`contact.friction` reaches the report by the hops that docs/life-of-a-run.md lists, and by no others."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import numpy as np

import haptos
from haptos.contact.crease_motion import WALL_ROWS, WALL_SIZE
from haptos.dynamics.rigid.rigid_body import FULL_SIZE, VELOCITY, WORK_FRICTION
from haptos.dynamics.touching.batch import batch_of
from haptos.dynamics.touching.model import model_of
from haptos.dynamics.touching.rates import motion_rate
from haptos.dynamics.touching.state import velocity
from haptos.dynamics.touching.touching_set import update_touching
from haptos.scenarios.files import preset_text
from haptos.scenarios.lander.metrics import WORKS
from haptos.scenarios.lander.model import build
from tests.house.sources import PACKAGE, ROOT

FRICTION = 0.43217  # [-] a number that nothing else has
MOST_HOPS = 9
CHECKS = {"scenarios/schema.py"}  # looks at every number of a file, and hands none on


def hops() -> list[str]:
    """What each row of the page's table says."""
    page = (ROOT / "docs" / "life-of-a-run.md").read_text(encoding="utf-8")
    return re.findall(r"^\| \d+ \| (.+) \|$", page, flags=re.MULTILINE)


def listed() -> set[str]:
    """Files the table names."""
    return {name for row in hops() for name in re.findall(r"`([\w/]+\.py)`", row)}


def holds(value: Any, depth: int = 1) -> bool:
    """Whether a value is the number, or a small holder of it."""
    if isinstance(value, float):
        return value == FRICTION
    if isinstance(value, np.void) and value.dtype.names:
        return any(holds(item, 0) for item in value.tolist())
    if depth and isinstance(value, dict):
        return any(holds(item, depth - 1) for item in value.values())
    return bool(depth) and isinstance(value, tuple | list) and any(holds(item, 0) for item in value)


class Followed:
    """Files whose functions hold the number while this is open; device functions run as plain Python."""

    def __init__(self) -> None:
        self.files: set[str] = set()

    def _seen(self, frame: Any, event: str, value: Any) -> None:
        name = frame.f_code.co_filename
        if event != "return" or not name.startswith(str(PACKAGE)):
            return
        if holds(value) or any(holds(item) for item in frame.f_locals.values()):
            self.files.add(Path(name).relative_to(PACKAGE).as_posix())

    def __enter__(self) -> Followed:
        self.before = sys.getprofile()
        sys.setprofile(self._seen)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(self.before)


def pressed(model: Any) -> tuple[Any, np.ndarray]:
    """(what the kernel sees of a run, its state): slipping along the ground, pressed in."""
    batch = batch_of([model])
    p, m = batch.parameters.view(np.recarray)[0], batch.memory.view(np.recarray)[0]
    seen = model_of(
        p, batch.land, batch.vertices, batch.touching[0], batch.is_touching[0],
        batch.touching_count[0], np.full(7, np.nan), m.creases.wall_offsets,
        np.zeros((WALL_ROWS, WALL_SIZE)), m.creases.corner_walls,
    )  # fmt: skip
    y = batch.state[0].copy()
    record = type("Nothing", (), {"is_on": False})
    for height in np.arange(1.0, -1.0, -0.005):
        y[2] = height
        if update_touching(seen, y, 0.0, 0.0, m, record):
            break
    y[2] -= 1e-3
    update_touching(seen, y, 0.0, 0.0, m, record)
    y[VELOCITY], y[VELOCITY + 1], y[VELOCITY + 2] = 0.5, 0.2, 0.0
    return seen, y


def power(seen: Any, y: np.ndarray) -> float:
    """Power [W] of friction at a state."""
    dy = np.zeros(FULL_SIZE)
    motion_rate(seen, 0.0, y, dy)
    assert velocity(dy) != (0.0, 0.0, 0.0)
    return float(dy[WORK_FRICTION])


def with_friction(folder: Path, value: float) -> Path:
    text = re.sub(r"(?m)^friction = .*$", f"friction = {value}", preset_text("lander"))
    path = folder / "lander.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_number_takes_few_hops_and_each_of_them_names_a_file():
    assert 5 < len(hops()) <= MOST_HOPS
    assert not [name for name in listed() if not (PACKAGE / name).is_file()]


def test_the_number_is_held_where_the_page_says(tmp_path):
    path = with_friction(tmp_path, FRICTION)
    build(haptos.load(path))  # imports and compiles
    with Followed() as followed:
        seen, y = pressed(build(haptos.load(path)))
        power(seen, y)
    assert followed.files - CHECKS <= listed()
    first_six = {name for row in hops()[:6] for name in re.findall(r"`([\w/]+\.py)`", row)}
    assert followed.files >= first_six


def test_what_comes_out_is_the_work_of_that_friction(tmp_path):
    """The power of a body that slips is that of the coefficient; its work is a column, and a row of the ledger."""
    powers = [
        power(*pressed(build(haptos.load(with_friction(tmp_path, value)))))
        for value in (0.2, 0.4, 0.404)
    ]
    assert powers[0] < 0.0
    assert abs(powers[1] / powers[0] - 2.0) < 1e-6
    assert abs(powers[2] / powers[0] - 2.0) > 1e-2  # a coefficient 1 % off shows
    assert WORKS["friction"] == WORK_FRICTION
