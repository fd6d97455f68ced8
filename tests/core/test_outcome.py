"""Outcomes as codes, labels and sentences."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.core.outcome import Outcome


@pytest.mark.parametrize("outcome", list(Outcome))
def test_code_and_label_lead_back_to_the_outcome(outcome: Outcome) -> None:
    assert Outcome.from_code(outcome.code) is outcome
    assert Outcome.from_code(np.int64(outcome.code)) is outcome  # type: ignore[arg-type]
    assert Outcome.from_label(str(outcome)) is outcome


def test_codes_and_labels_are_unique() -> None:
    assert len({outcome.code for outcome in Outcome}) == len(Outcome)
    assert len({outcome.label for outcome in Outcome}) == len(Outcome)


def test_codes_stay_what_they_were_because_files_hold_them() -> None:
    held = {0: "running", 1: "settled", 2: "escaped", 3: "time over", 4: "steps over"}
    held |= {5: "stalled", 6: "not trusted"}
    assert {code: Outcome.from_code(code).label for code in held} == held


@pytest.mark.parametrize("outcome", list(Outcome))
def test_every_sentence_is_one(outcome: Outcome) -> None:
    assert outcome.sentence[0].isupper()
    assert outcome.sentence.endswith(".")


def test_unknown_codes_and_labels_are_refused() -> None:
    with pytest.raises(KeyError):
        Outcome.from_code(99)
    with pytest.raises(KeyError):
        Outcome.from_label("landed")
