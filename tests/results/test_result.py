"""A result judges itself, tells itself, and refuses quantities without unit or frame."""

from __future__ import annotations

import dataclasses
import json
import math

import numpy as np
import pytest

from haptos.core.errors import HaptosError
from haptos.core.outcome import Outcome
from haptos.results.result import _raised
from tests.close import assert_close
from tests.results.hop import REST, hop


def test_a_run_whose_ledger_closes_ends_as_its_motion_did() -> None:
    result = hop(ended=Outcome.TIME_OVER)
    assert result.outcome is Outcome.TIME_OVER
    assert result.trusted


def test_a_run_whose_ledger_does_not_close_is_not_trusted_but_keeps_how_it_ended() -> None:
    result = hop(error=2e-6)
    assert result.outcome is Outcome.NOT_TRUSTED
    assert result.ended is Outcome.SETTLED
    assert not result.trusted


def test_a_stalled_run_is_not_trusted_even_if_its_ledger_closes() -> None:
    result = hop(ended=Outcome.STALLED)
    assert result.ledger.closes
    assert result.outcome is Outcome.NOT_TRUSTED
    assert result.verdict.startswith(Outcome.STALLED.sentence)


def test_json_has_exactly_the_promised_parts() -> None:
    reported = hop().as_json()
    assert list(reported) == [
        "question",
        "answer",
        "scenario",
        "name",
        "outcome",
        "ended",
        "trusted",
        "verdict",
        "checks",
        "metrics",
        "ledger",
        "provenance",
    ]
    assert reported["metrics"]["settle_time_s"] == REST
    assert reported["ledger"]["closes"] is True


def test_json_is_strict_with_null_for_numbers_it_does_not_know() -> None:
    result = dataclasses.replace(
        hop(), metrics={"a": math.nan, "b_s": math.inf, "c_m": np.float64(1.5), "n": np.int64(3)}
    )
    text = json.dumps(result.as_json(), allow_nan=False)
    assert json.loads(text)["metrics"] == {"a": None, "b_s": None, "c_m": 1.5, "n": 3}


def test_the_row_is_flat_and_starts_with_the_outcome() -> None:
    row = hop().as_row()
    texts = ["outcome", "ended", "not_trusted_because", "ledger_phase"]
    assert list(row)[:5] == [*texts, "trusted"]
    assert row["outcome"] == "settled"
    assert row["trusted"] is True
    assert all(isinstance(value, (str, bool, int, float)) for value in row.values())


def test_the_row_of_an_untrusted_run_keeps_the_ending() -> None:
    row = hop(error=1e-3).as_row()
    assert (row["outcome"], row["ended"], row["trusted"]) == ("not trusted", "settled", False)


def test_the_books_of_the_row_add_up_to_the_remainder() -> None:
    row = hop(error=1e-9).as_row()
    works = [row[f"ledger_{name}_J"] for name in ("damping", "friction", "rolling")]
    # The remainder of the hop grows to its largest at the end; rounding is 1e-16 of the energy.
    left = row["ledger_change_J"] - sum(works)
    assert_close(left, row["ledger_remainder_J"], rtol=1e-6)
    assert row["ledger_remainder_J"] == 1e-9 * row["ledger_scale_J"]


def test_the_summary_names_outcome_verdict_and_metrics_with_units() -> None:
    text = hop(name="my hop").summary()
    assert text.splitlines()[:2] == [
        "lander: my hop",
        "settled: Came to rest in contact with the surface.",
    ]
    assert "The energy ledger closes" in text
    assert "first impact speed" in text
    assert " m/s" in text


def test_the_citations_are_those_of_the_result() -> None:
    assert [line.split()[0] for line in hop().cite().splitlines()] == [
        "[VanWal2017]",
        "[DormandPrince1980]",
    ]


@pytest.mark.parametrize("missing", ["unit", "frame", "description"])
@pytest.mark.parametrize(
    ("part", "name"), [("trajectory", "r_BA_A"), ("trajectory", "time"), ("events", "kind")]
)
def test_a_variable_without_unit_frame_or_description_is_refused(
    part: str, name: str, missing: str
) -> None:
    result = hop()
    spoiled = getattr(result, part).copy()
    del spoiled[name].attrs[missing]
    with pytest.raises(HaptosError) as caught:
        dataclasses.replace(result, **{part: spoiled})
    assert caught.value.where == part
    assert caught.value.found == f"variable '{name}' without {missing}"


@pytest.mark.parametrize("frame", ["", "Q", "body", "ABN"])
def test_a_variable_in_a_frame_nobody_knows_is_refused(frame: str) -> None:
    result = hop()
    spoiled = result.trajectory.copy(deep=True)
    spoiled["r_BA_A"].attrs["frame"] = frame
    with pytest.raises(HaptosError, match="N, A, B, H, L, S, C") as caught:
        dataclasses.replace(result, trajectory=spoiled)
    assert caught.value.found == f"variable 'r_BA_A' with frame {frame!r}"


def test_the_sources_are_told_for_people_and_for_bibtex() -> None:
    result = hop()
    assert [line.split("]")[0] for line in result.cite().splitlines()] == [
        "[VanWal2017",
        "[DormandPrince1980",
    ]
    assert "@article{DormandPrince1980," in result.bibtex()


def test_a_trajectory_without_times_is_refused() -> None:
    result = hop()
    with pytest.raises(HaptosError, match="no variable 'time'"):
        dataclasses.replace(result, trajectory=result.trajectory.drop_vars("time"))


def test_an_unknown_citation_is_refused() -> None:
    with pytest.raises(HaptosError, match="unknown key 'Nobody1900'"):
        dataclasses.replace(hop(), cites=("Nobody1900",))


def test_equality_sees_the_last_bit_of_the_trajectory() -> None:
    result = hop()
    moved = result.trajectory.copy(deep=True)
    moved["r_BA_A"].values[3, 1] = np.nextafter(moved["r_BA_A"].values[3, 1], 1.0)
    assert result.equals(dataclasses.replace(result))
    assert not result.equals(dataclasses.replace(result, trajectory=moved))


@pytest.mark.parametrize(
    "change",
    [
        {"name": "other"},
        {"ended": Outcome.ESCAPED},
        {"metrics": {"a": 1.0}},
        {"config": {"a": [1]}},
        {"provenance": {}},
        {"cites": ("Duff2017",)},
    ],
)
def test_equality_sees_every_field(change: dict[str, object]) -> None:
    assert not hop().equals(dataclasses.replace(hop(), **change))  # type: ignore[arg-type]


def test_equality_sees_attributes_and_kinds_of_numbers() -> None:
    result = hop()
    relabelled, coarser = result.events.copy(deep=True), result.events.copy(deep=True)
    relabelled["point_A"].attrs["frame"] = "N"
    coarser["vertex"] = coarser["vertex"].astype(np.int32)
    assert not result.equals(dataclasses.replace(result, events=relabelled))
    assert not result.equals(dataclasses.replace(result, events=coarser))


def test_the_configuration_becomes_plain_so_that_it_can_be_stored() -> None:
    result = dataclasses.replace(
        hop(), config={"a": (1.0, np.float64(2.0)), "b": {"c": np.arange(2)}, "d": np.bool_(True)}
    )
    assert repr(result.config) == repr({"a": [1.0, 2.0], "b": {"c": [0, 1]}, "d": True})


def test_what_a_controller_raised_is_told_whole():
    frames = 'Traceback (most recent call last):\n  File "mine.py", line 6, in bad\n    go()\n'
    refusal = "ConfigError: controller: found 3\n  allowed: a dict\n  try: return {}"
    assert _raised(frames + refusal) == [
        "ConfigError: controller: found 3", "allowed: a dict", "try: return {}"
    ]  # fmt: skip
    assert _raised(frames + "ZeroDivisionError: division by zero") == [
        "ZeroDivisionError: division by zero"
    ]
    assert _raised("") == []
