"""A rigid probe that falls on a small body, bounces, slides and comes to rest."""

from haptos.scenarios.contract import Parts, Running, Scenario, Showing, Studying

_part = Parts(__name__)

SCENARIO = Scenario(
    name="lander",
    question="Where and when does a lander come to rest, and what does it go through until then?",
    package=__name__,
    config=_part("config.Config"),
    alternatives=_part("config.ALTERNATIVES"),
    usual_tags=(("law", "compliant"),),
    running=Running(
        check=_part("simulate.check"),
        proportions=_part("proportions.proportions"),
        simulate=_part("simulate.simulate"),
        outcomes=_part("simulate.OUTCOMES"),
        repeats=_part("repeats.repeats"),
        refined=_part("repeats.refined"),
        sources=_part("cited_laws.sources"),
        metric_names=_part("metrics.metric_names"),
        check_many=_part("simulate.check_many"),
        batch=_part("simulate.simulate_batch"),
        logged=_part("simulate.simulate_logged"),
        log_rows=_part("simulate.most_log_rows"),
    ),
    showing=Showing(
        answer=_part("answer.answer"),
        main_metrics=("settle_time_s", "displacement_m"),
        figures=_part("figures.figures"),
        scene=_part("scene.scene"),
        overview=_part("scene_overview.overview"),
        exports=_part("exports.write_files"),
    ),
    studying=Studying(
        point_metrics=(
            "settle_time_s", "first_touch_time_s", "impacts", "path_length_m", "slope_at_rest_deg",
        ),
        share=("settled", "at rest"),
        sensitivity_of="settle_time_s",
        fits_of="settle_time_s",
        places=_part("places.places"),
    ),
)  # fmt: skip
