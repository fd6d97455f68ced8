"""All figures of a run: those of its scenario and those every run has."""

from __future__ import annotations

from matplotlib.figure import Figure

from haptos.reports import scenario_figures
from haptos.results.result import Result
from haptos.view import run_figures as shared


def run_figures(result: Result) -> dict[str, Figure]:
    return {**scenario_figures(result), **shared.run_figures(result)}
