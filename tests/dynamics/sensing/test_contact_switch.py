"""Switches: threshold, hold time, bounce, faults."""

from __future__ import annotations

from haptos.dynamics.sensing.contact_switch import ContactSwitch, SwitchFault


def pressed(switch: ContactSwitch, forces: list[float], step: float = 0.01) -> list[bool]:
    return [switch.update(k * step, force) for k, force in enumerate(forces)]


def test_it_closes_after_the_hold_time_and_opens_at_once():
    found = pressed(ContactSwitch(5.0, 0.02, 0.0), [0.0, 6.0, 6.0, 6.0, 6.0, 4.9, 6.0])
    assert found == [False, False, False, True, True, False, False]


def test_a_short_touch_does_not_close_it():
    assert not any(pressed(ContactSwitch(5.0, 0.02, 0.0), [6.0, 6.0, 0.0] * 5))


def test_it_stays_open_for_the_bounce_time():
    held = [6.0] * 3 + [0.0] + [6.0] * 6
    found = pressed(ContactSwitch(5.0, 0.0, 0.035), held)
    assert found[:3] == [True] * 3
    assert found[3:7] == [False] * 4
    assert found[7] is True


def test_stuck_switches_say_the_same_whatever_presses():
    opened = ContactSwitch(5.0, 0.0, 0.0, SwitchFault("stuck_open", 0.02))
    assert pressed(opened, [6.0] * 4) == [True, True, False, False]
    closed = ContactSwitch(5.0, 0.0, 0.0, SwitchFault("stuck_closed", 0.02))
    assert pressed(closed, [0.0] * 4) == [False, False, True, True]
