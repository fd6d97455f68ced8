"""Two spacecraft on a line that reels pay out, hold and take in: in orbit, over a small body or in free space."""

from haptos.scenarios.contract import Parts, Running, Scenario, Showing, Studying

_part = Parts(__name__)

SCENARIO = Scenario(
    name="tether",
    question="What does a tether bear and how does it swing while it is deployed, held, retrieved or spun?",
    package=__name__,
    config=_part("config.Config"),
    running=Running(
        check=_part("model.check"),
        proportions=_part("proportions.proportions"),
        simulate=_part("simulate.simulate"),
        outcomes=_part("simulate.OUTCOMES"),
        sources=_part("simulate.sources"),
        metric_names=_part("metrics.metric_names"),
        has_control=True,
    ),
    showing=Showing(
        answer=_part("answer.answer"),
        main_metrics=("peak_tension_N", "largest_in_plane_deg", "deployed_m", "slack_time_s"),
        figures=_part("figures.figures"),
        pictures="figures",
        scene=_part("scene.scene"),
    ),
    studying=Studying(
        point_metrics=("peak_tension_N", "largest_in_plane_deg", "slack_time_s"),
        share=("completed", "completed"),
    ),
)
