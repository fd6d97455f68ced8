"""A harpoon: shot with its line, into the ground, a sample, and the way back."""

from haptos.scenarios.contract import Parts, Running, Scenario, Showing, Studying

_part = Parts(__name__)

SCENARIO = Scenario(
    name="harpoon",
    question="How deep does a harpoon go, does it hold, and does its sample come back?",
    package=__name__,
    config=_part("config.Config"),
    running=Running(
        check=_part("model.check"),
        proportions=_part("proportions.proportions"),
        simulate=_part("simulate.simulate"),
        outcomes=_part("simulate.OUTCOMES"),
        sources=_part("model.sources"),
        metric_names=_part("tables.metric_names"),
    ),
    showing=Showing(
        answer=_part("answer.answer"),
        main_metrics=("depth_m", "least_capacity_N", "capture_time_s", "angle_beyond_50_m_deg"),
        figures=_part("figures.figures"),
        pictures="figures",
        scene=_part("scene.scene"),
    ),
    studying=Studying(
        point_metrics=("depth_m", "least_capacity_N", "capture_time_s", "angle_beyond_50_m_deg", "peak_tension_N"),
        share=("captured", "captured"),
        sensitivity_of=("depth_m", "angle_beyond_50_m_deg"),
    ),
    alternatives=_part("config.ALTERNATIVES"),
)  # fmt: skip
