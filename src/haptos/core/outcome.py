"""How a run ended, as data: an integer code in kernels, a sentence for people."""

from __future__ import annotations

from enum import Enum


class Outcome(Enum):
    """Ways a run can end. `code` travels through kernels and tables, `sentence` is shown."""

    RUNNING = (0, "running", "The run has not ended yet.")
    SETTLED = (1, "settled", "Came to rest in contact with the surface.")
    ESCAPED = (
        2,
        "escaped",
        "Touched, and went beyond the escape distance with more energy than it takes to come back.",
    )
    TIME_OVER = (
        3,
        "time over",
        "The time allowed ran out after it had touched and before it rested.",
    )
    STEPS_OVER = (4, "steps over", "The number of steps allowed ran out before the run ended.")
    STALLED = (5, "stalled", "The step size fell below its floor; the motion cannot be followed.")
    SUNK = (7, "sunk", "Sank deeper into the ground than the contact law can describe.")
    MAPPED = (8, "mapped", "The map is complete; there was no motion to end.")
    MISSED = (9, "missed", "Escaped, or ran out of time, without ever touching the surface.")
    DEPLOYED = (10, "deployed", "The net flew for the time asked; there was nothing to catch.")
    CAPTURED = (11, "captured", "The target is inside the net and its mouth is closed.")
    SLIPPED = (12, "slipped", "The net touched the target and does not hold it at the end.")
    NOT_TRUSTED = (6, "not trusted", "The energy ledger or another check of the run does not hold.")
    COMPLETED = (14, "completed", "The motion asked for was carried out to its end, with contact.")
    FAILED = (13, "failed", "The program raised an error; the run has no numbers.")

    def __init__(self, code: int, label: str, sentence: str) -> None:
        self.code, self.label, self.sentence = code, label, sentence

    def __str__(self) -> str:
        return self.label

    @classmethod
    def from_code(cls, code: int) -> Outcome:
        return _BY_CODE[int(code)]

    @classmethod
    def from_label(cls, label: str) -> Outcome:
        return _BY_LABEL[label]


_BY_CODE = {outcome.code: outcome for outcome in Outcome}
_BY_LABEL = {outcome.label: outcome for outcome in Outcome}
