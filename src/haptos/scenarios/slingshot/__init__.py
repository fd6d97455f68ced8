"""A spacecraft on a tether that is anchored to a body it passes: stop, leave, or turn."""

from haptos.scenarios.contract import Parts, Running, Scenario, Showing, Studying

_part = Parts(__name__)

SCENARIO = Scenario(
    name="slingshot",
    question="Does a spacecraft that anchors a tether to a body stop, leave or turn as wanted, and what does the line bear?",
    package=__name__,
    config=_part("config.Config"),
    running=Running(
        check=_part("model.check"),
        proportions=_part("proportions.proportions"),
        simulate=_part("simulate.simulate"),
        outcomes=_part("simulate.OUTCOMES"),
        sources=_part("simulate.sources"),
        metric_names=_part("metrics.metric_names"),
    ),
    showing=Showing(
        answer=_part("answer.answer"),
        main_metrics=("deployed_m", "left_m", "peak_tension_N", "peak_acceleration_m_per_s2"),
        figures=_part("figures.figures"),
        pictures="figures",
        scene=_part("scene.scene"),
    ),
    studying=Studying(
        point_metrics=("left_m", "peak_tension_N", "end_speed_m_per_s"),
        share=("captured", "captured"),
    ),
)
