"""How a run ended, as data: an integer code in kernels, a sentence for people."""

from __future__ import annotations

from enum import Enum


class Outcome(Enum):
    """Ways a run can end. `code` travels through kernels and tables, `sentence` is shown."""

    RUNNING = (0, "running", "The run has not ended yet.")
    SETTLED = (1, "settled", "Came to rest in contact with the surface.")
    ESCAPED = (
        2,
        "escaped",
        "Touched, and went beyond the escape distance with more energy than it takes to come back.",
    )
    TIME_OVER = (
        3,
        "time over",
        "The time allowed ran out after it had touched and before it rested.",
    )
    STEPS_OVER = (4, "steps over", "The number of steps allowed ran out before the run ended.")
    STALLED = (5, "stalled", "The step size fell below its floor; the motion cannot be followed.")
    SUNK = (7, "sunk", "Sank deeper into the ground than the contact law can describe.")
    MAPPED = (8, "mapped", "The map is complete; there was no motion to end.")
    MISSED = (9, "missed", "Ended without touching what it was to touch.")
    DEPLOYED = (10, "deployed", "The net flew for the time asked; there was nothing to catch.")
    CAPTURED = (11, "captured", "Caught, and held at the end.")
    SLIPPED = (12, "slipped", "It touched, and does not hold at the end.")
    NOT_TRUSTED = (6, "not trusted", "The energy ledger or another check of the run does not hold.")
    COMPLETED = (14, "completed", "The motion that was asked for was carried out to its end.")
    SPINNING = (15, "spinning", "Spins on in place on the ground; nothing there brakes the spin.")
    FAILED = (13, "failed", "The program raised an error; the run has no numbers.")

    DOCKED = (20, "docked", "Held by its capture tool and drawn firmly onto its supports.")
    REBOUNDED = (21, "rebounded", "Touched before it was held, and went away again.")
    WEDGED = (22, "wedged", "Stuck: it could go no further, or could not be freed.")
    OVER_FORCE = (23, "over-force", "A force or a pressure went beyond the limit of a part.")
    SENSOR_LOST = (
        24,
        "sensor lost",
        "Given up because a sensor it relies on gave nothing for too long.",
    )
    CONTROL_LOST = (25, "control lost", "Given up because the attitude was no longer held.")
    RELEASED = (26, "released", "Was held, was given up, and is free again.")
    TIMED_OUT = (
        27,
        "timed out",
        "Given up because a stage of the sequence took too long, or not done when the run ended.",
    )
    CONTROLLER_FAILED = (
        28,
        "controller failed",
        "The controller raised an error; the run ends there.",
    )
    TETHER_BROKE = (30, "tether broke", "The tether broke.")
    TETHER_END = (31, "tether end reached", "All of the tether was out before the motion ended.")
    TANGLED = (33, "slack tangle", "The tether went slack and parts of it came together.")
    REEL_JAMMED = (34, "reel jammed", "The reel jammed, and what it was meant to do was not done.")
    PROPELLANT_OUT = (35, "propellant out", "The propellant was used up before the motion ended.")
    SUPERCRITICAL = (
        32,
        "supercritical pay-out",
        "The tether left its reel faster than waves run along it, which no reel can brake.",
    )
    TURNED = (
        36,
        "turned",
        "The velocity was turned by the angle asked for, and the tether let go.",
    )
    DEPARTED = (37, "departed", "Reeled itself in along its tether, and let go.")
    RATES_EXCEEDED = (38, "rates exceeded", "The spacecraft turned faster than is allowed.")
    COLLIDED = (39, "collided", "Met the spacecraft faster than it can be taken in.")
    RICOCHET = (40, "ricochet", "Left the ground again without sticking in it.")
    BROADSIDE = (41, "broadside", "Turned sideways while it entered the ground.")
    NO_SAMPLE = (42, "no sample", "Touched the ground, and not deep or long enough for a sample.")
    PULLED_OUT = (43, "pulled out", "What held in the ground was pulled out.")
    BUCKLED = (44, "buckled", "The boom bowed out under its load.")
    OVERHEATED = (45, "overheated", "A part got hotter than it can stand.")
    OVERRAN = (46, "overran", "Flew past the spacecraft on a slack line.")
    ANCHORED = (47, "anchored", "Stuck in the ground with the hold that is required, or more.")
    SAMPLED = (48, "sampled", "The sample was taken.")
    BOTTOMED = (49, "stage bottomed", "The force stage reached the end of its stroke.")
    NOT_HELD = (50, "not held", "Stuck in the ground with less hold than is required.")
    STRUCK = (51, "struck", "A hull, a wing or the boom ran into the other spacecraft.")

    def __init__(self, code: int, label: str, sentence: str) -> None:
        self.code, self.label, self.sentence = code, label, sentence

    def __str__(self) -> str:
        return self.label

    @classmethod
    def from_code(cls, code: int) -> Outcome:
        return _BY_CODE[int(code)]

    @classmethod
    def from_label(cls, label: str) -> Outcome:
        return _BY_LABEL[label]


_BY_CODE = {outcome.code: outcome for outcome in Outcome}
_BY_LABEL = {outcome.label: outcome for outcome in Outcome}
