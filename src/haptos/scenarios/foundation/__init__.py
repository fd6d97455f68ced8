"""A bench for polygonal contact: two bodies pressed, slid, dropped or spread."""

from haptos.scenarios.contract import Parts, Running, Scenario, Showing

_part = Parts(__name__)

SCENARIO = Scenario(
    name="foundation",
    question="How hard do two bodies press on each other at a depth, and what do they lose when slid or dropped?",
    package=__name__,
    config=_part("config.Config"),
    running=Running(
        check=_part("model.check"),
        proportions=_part("proportions.proportions"),
        simulate=_part("simulate.simulate"),
        outcomes=_part("simulate.OUTCOMES"),
        sources=_part("simulate.sources"),
        metric_names=_part("tables.metric_names"),
    ),
    showing=Showing(
        answer=_part("answer.answer"),
        main_metrics=("peak_force_N", "peak_depth_m", "lost_J"),
        figures=_part("figures.figures"),
        pictures="figures",
        scene=_part("scene.scene"),
    ),
)
