"""A tether or boom of active material between a spacecraft and an end effector on the ground."""

from haptos.scenarios.contract import Parts, Running, Scenario, Showing, Studying

_part = Parts(__name__)

SCENARIO = Scenario(
    name="active-tether",
    question="Does an active tether or boom hold the force that sampling needs, and does the spacecraft stay calm?",
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
        main_metrics=("held_share", "largest_rate_deg_per_s", "largest_bow_m", "peak_force_N"),
        figures=_part("figures.figures"),
        pictures="figures",
        scene=_part("scene.scene"),
    ),
    studying=Studying(
        point_metrics=("held_share", "largest_rate_deg_per_s", "largest_bow_m", "peak_force_N"),
        share=("sampled", "held"),
        sensitivity_of="largest_rate_deg_per_s",
    ),
)
