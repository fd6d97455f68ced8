"""What a scenario offers: the one description that everything outside its folder works from.

Command line, campaigns, reports, viewer and documents ask a `Scenario` for its parts and know nothing
else of it. A part is named here and imported when it is first asked for, so that listing the scenarios
costs nothing.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from haptos.scenarios.schema import ScenarioConfig


@dataclass(frozen=True, slots=True)
class Part:
    """Something in a module that is imported when it is first used: a function, a class, a value."""

    module: str
    name: str

    @property
    def value(self) -> Any:
        return getattr(importlib.import_module(self.module), self.name)

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        return self.value(*arguments, **options)


@dataclass(frozen=True, slots=True)
class Parts:
    """Names the parts of one package: `Parts("mine")("simulate.simulate")`."""

    package: str

    def __call__(self, dotted: str) -> Part:
        module, _, name = dotted.rpartition(".")
        return Part(f"{self.package}.{module}", name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """How a scenario is checked and run.

    check         (config) -> None; refuses what only shows when the model is built
    proportions   (config) -> ratios of numbers of the file that must belong together: `proportions.py`
    simulate      (config, *, progress) -> Result
    outcomes      the ways a run can end
    sources       (config) -> keys of the bibliography of the laws that run
    metric_names  () -> names of the metrics, where they do not depend on the configuration
    check_many    (configs) -> None; the quick form of `check` for many runs
    batch         (configs, *, workers, should_stop) -> rows, many runs at once
    logged        the same with logs of impacts and trajectories: ManyRuns
    log_rows      (config) -> most rows of trajectory of one run
    repeats       (config) -> how many runs with a disturbed start the file asks for; `simulate` then
                  takes disturbance, a generator of random numbers
    refined       (config) -> the same run with half the step or tolerances, the last of its repeats
    has_control   whether `simulate` takes controller and control_interval
    """

    check: Part
    simulate: Part
    outcomes: Part
    sources: Part
    proportions: Part | None = None
    metric_names: Part | None = None
    check_many: Part | None = None
    batch: Part | None = None
    logged: Part | None = None
    log_rows: Part | None = None
    repeats: Part | None = None
    refined: Part | None = None
    has_control: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Showing:
    """What a scenario shows of a run besides the figures every run has.

    answer        (result) -> two or three sentences with numbers and units: what the person asked
    main_metrics  those that the answer of a campaign names
    figures       (result) -> title -> panels or drawings
    pictures      folder that the figures are also written to as PNG files
    scene         (result) -> Scene of the viewer
    overview      (config, runs, results) -> Scene of a campaign, which has no viewer without it
    exports       (result, directory) -> files for other programs
    """

    answer: Part
    main_metrics: tuple[str, ...]
    figures: Part | None = None
    pictures: str = ""
    scene: Part | None = None
    overview: Part | None = None
    exports: Part | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Studying:
    """What the report of a campaign says besides outcomes and statistics of all metrics.

    point_metrics   means shown at each design point of a sweep
    share           outcome (or outcomes) whose share is shown there, and its words: ("settled", "at rest")
    sensitivity_of  metric, or metrics, for which the report says which inputs decide it
    fits_of         metric that is fitted against restitution and friction (campaign/fits.py)
    places          (table, runs) -> Places, where runs end on a body; None if on none
    """

    point_metrics: tuple[str, ...] = ()
    share: tuple[str | tuple[str, ...], str] = ("", "")
    sensitivity_of: str | tuple[str, ...] = ""
    fits_of: str = ""
    places: Part | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """One scenario.

    name          as files write it: scenario = "name"
    question      what it answers, in one line
    package       its Python package; its folders `presets` and `campaigns` hold the built-in files
    config        its pydantic model, a `ScenarioConfig`
    alternatives  groups of keys that state one quantity in different ways; one drops the others
    usual_tags    (key, value) of tags such as `law` that a file need not write
    """

    name: str
    question: str
    package: str
    config: Part
    running: Running
    showing: Showing
    studying: Studying = Studying()
    alternatives: Part | None = None
    usual_tags: tuple[tuple[str, str], ...] = ()

    @property
    def config_model(self) -> type[ScenarioConfig]:
        model: type[ScenarioConfig] = self.config.value
        return model
