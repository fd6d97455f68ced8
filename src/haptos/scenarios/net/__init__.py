"""A net that is shot at a tumbling target, wraps it, is drawn together and tows it."""

from haptos.scenarios.contract import Parts, Running, Scenario, Showing, Studying

_part = Parts(__name__)

SCENARIO = Scenario(
    name="net",
    question="Does a net catch and hold a target, and what loads does that take?",
    package=__name__,
    config=_part("config.Config"),
    alternatives=_part("config.ALTERNATIVES"),
    running=Running(
        check=_part("simulate.check"),
        proportions=_part("proportions.proportions"),
        simulate=_part("simulate.simulate"),
        outcomes=_part("simulate.OUTCOMES"),
        repeats=_part("repeats.repeats"),
        refined=_part("repeats.refined"),
        sources=_part("simulate.sources"),
        has_control=True,
    ),
    showing=Showing(
        answer=_part("answer.answer"),
        main_metrics=("first_touch_s", "largest_tension_N"),
        figures=_part("figures.figures"),
        scene=_part("scene.scene"),
        overview=_part("scene_overview.overview"),
        exports=_part("exports.write_files"),
    ),
    studying=Studying(
        point_metrics=("first_touch_s", "largest_tension_N"),
        share=("captured", "captured"),
        sensitivity_of="largest_tension_N",
    ),
)
