"""A scenario of another package: two bodies on a reeled cable that swing over a small body and touch it."""

from haptos.scenarios.contract import Parts, Running, Scenario, Showing

_part = Parts(__name__)

SCENARIO = Scenario(
    name="reeled-pair",
    question="Do two bodies on a reeled cable touch the ground, and how hard is the cable pulled?",
    package=__name__,
    config=_part("config.Config"),
    running=Running(
        check=_part("model.check"),
        simulate=_part("model.simulate"),
        outcomes=_part("model.OUTCOMES"),
        sources=_part("model.sources"),
        metric_names=_part("model.metric_names"),
    ),
    showing=Showing(
        answer=_part("model.answer"),
        main_metrics=("first_touch_s", "largest_tension_N"),
        figures=_part("model.figures"),
        scene=_part("model.scene"),
    ),
)
