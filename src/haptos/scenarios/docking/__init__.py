"""A servicing satellite takes another by the nozzle of its apogee engine."""

from haptos.scenarios.contract import Parts, Running, Scenario, Showing, Studying

_part = Parts(__name__)

SCENARIO = Scenario(
    name="docking",
    question="Does the docking succeed from this misalignment, what fails first, and how large do the loads become?",
    package=__name__,
    config=_part("config.Config"),
    running=Running(
        check=_part("start_checks.check"),
        proportions=_part("proportions.proportions"),
        simulate=_part("simulate.simulate"),
        outcomes=_part("simulate.OUTCOMES"),
        sources=_part("simulate.sources"),
        metric_names=_part("metrics.metric_names"),
        has_control=True,
    ),
    showing=Showing(
        answer=_part("answer.answer"),
        main_metrics=("docked_s", "largest_depth_m", "least_margin"),
        figures=_part("figures.figures"),
        pictures="figures",
        scene=_part("scene.scene"),
        exports=_part("exports.write_files"),
    ),
    studying=Studying(
        point_metrics=("lock_s", "docked_s", "largest_depth_m", "least_margin", "propellant_kg"),
        share=(("docked", "captured"), "docked or captured"),
        sensitivity_of="least_margin",
    ),
)
