"""Scatter of repeats: what it is, what is reported, what comes back from a file."""

from __future__ import annotations

import json
import math
from dataclasses import replace

from haptos.results.repeats import NOT_ALWAYS, Repeats, scatter_text
from haptos.results.result import Result, open_result
from tests.close import assert_close
from tests.results.hop import REST, hop


def repeated() -> Result:
    """Two disturbed runs and a finer one; one of them escapes."""
    result = hop()
    values = {name: (value, value, value) for name, value in result.metrics.items()}
    values["travel_m"] = tuple(result.metrics["travel_m"] + change for change in (0.1, -0.3, 0.2))
    values["settle_time_s"] = (REST, math.nan, REST)
    return replace(result, repeats=Repeats(("settled", "escaped", "settled"), values))


def test_scatter_is_the_largest_difference_from_the_run():
    assert_close(repeated().scatter["travel_m"], 0.3, rtol=1e-12)
    assert repeated().scatter["bounce_count"] == 0.0


def test_what_happens_in_some_runs_only_has_no_scatter_of_a_number():
    assert repeated().scatter["settle_time_s"] == NOT_ALWAYS
    assert math.isnan(repeated().scatter["escape_time_s"])
    assert scatter_text(NOT_ALWAYS) == "not in all runs"
    assert scatter_text(math.nan) == ""
    assert scatter_text(0.00321) == "± 0.0032"


def test_equal_infinities_do_not_scatter():
    assert Repeats(("settled",), {"time_s": (math.inf,)}).scatter("time_s", math.inf) == 0.0


def test_agreement_counts_the_outcomes():
    assert repeated().repeats.agreement("settled") == (
        "Repeats: 2 of 3 further runs ended as this one, settled; 1 escaped. "
        "2 had a disturbed start, one finer steps."
    )


def test_summary_and_json_tell_the_scatter_beside_every_metric():
    result = repeated()
    assert "± 0.3" in result.summary()
    assert "2 of 3 further runs" in result.summary()
    reported = json.loads(json.dumps(result.as_json()))["repeats"]
    assert reported["same_outcome"] == 2
    assert set(reported["scatter"]) == set(result.metrics)
    assert reported["scatter"]["settle_time_s"] is None
    assert "repeats" not in hop().as_json()


def test_repeats_come_back_from_a_file(tmp_path):
    result = repeated()
    assert open_result(result.save(tmp_path)).equals(result)
    assert not result.equals(hop())
