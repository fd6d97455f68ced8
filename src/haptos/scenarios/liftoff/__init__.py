"""How fast something may move along a small body before it leaves the ground."""

from haptos.scenarios.contract import Parts, Running, Scenario, Showing, Studying

_part = Parts(__name__)

SCENARIO = Scenario(
    name="liftoff",
    question="How fast may a vehicle drive on a small body, and in which direction, before it lifts off?",
    package=__name__,
    config=_part("config.Config"),
    alternatives=_part("config.ALTERNATIVES"),
    running=Running(
        check=_part("simulate.check"),
        proportions=_part("proportions.proportions"),
        simulate=_part("simulate.simulate"),
        outcomes=_part("simulate.OUTCOMES"),
        sources=_part("simulate.sources"),
        metric_names=_part("tables.metric_names"),
    ),
    showing=Showing(
        answer=_part("answer.answer"),
        main_metrics=("least_speed_min_m_per_s", "wheel_limit_median_m_per_s"),
        figures=_part("figures.figures"),
        pictures="figures",
        scene=_part("scene.scene"),
        overview=_part("scene.overview"),
        exports=_part("exports.write_files"),
    ),
    studying=Studying(
        point_metrics=("least_speed_min_m_per_s", "wheel_limit_median_m_per_s"),
        sensitivity_of="least_speed_min_m_per_s",
    ),
)
