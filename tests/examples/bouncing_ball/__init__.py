"""A scenario of another package: a ball that is dropped on a floor and loses a share of its energy."""

from haptos.scenarios.contract import Parts, Running, Scenario, Showing

_part = Parts(__name__)

SCENARIO = Scenario(
    name="bouncing-ball",
    question="How high does a dropped ball come back, and when does it rest?",
    package=__name__,
    config=_part("model.Config"),
    running=Running(
        check=_part("model.check"),
        simulate=_part("model.simulate"),
        outcomes=_part("model.OUTCOMES"),
        sources=_part("model.sources"),
        metric_names=_part("model.metric_names"),
    ),
    showing=Showing(answer=_part("model.answer"), main_metrics=("rest_time_s",)),
)
