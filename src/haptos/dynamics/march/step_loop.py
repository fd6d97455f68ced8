"""The loop of steps of every march with error control: the order in which things happen, and nothing else.

A family of movers gives what happens as device functions, of which all take `run`, whatever the family works with, and
compiles the loop once into its entry:

    goes_on(run) -> bool         whether another step is to be tried: time, number of steps, how the march ended
    propose(run) -> h            the step [s] to try, with all made ready for it; 0 or less ends the march
    attempt(run, h) -> ratio     take it: its largest error over the tolerance; above 1, or BROKEN if it has no
                                 solution, it is thrown away
    reject(run, h, ratio)        choose a shorter one
    search(run, h) -> part       where the first event or touch within the step is [s from its start]; h if there is
                                 none, or if it is at the end
    shorten(run, h, part)        throw the step away and remember that the next one ends there
    choose(run, h, ratio)        the step to try after this one, which is accepted now
    store_rows(run, h)           rows at output times within it
    watch(run, h)                what is seen along it: extremes, path, guard of surfaces, memory of contacts
    commit(run, h)               its end becomes the state, and the time
    settle(run, h)               what happens there: events, impacts, modes, ledger
    conclude(run, h)             has the march ended, and how?

What a family does not need is `nothing`, or `to_the_end` for `search`. Steps may be explicit or implicit, with an interpolant
or without; rows and events may be read from it or be steps of their own: the loop does not know.
Validity: each function leaves all as it was for a step that is thrown away. Source: bookkeeping.
"""

from __future__ import annotations

from collections import namedtuple

from haptos.core.jit import device

CITES: tuple[str, ...] = ()

StepFunctions = namedtuple(
    "StepFunctions",
    "goes_on propose attempt reject search shorten choose store_rows watch commit settle conclude",
)


@device
def march_steps(family, run):
    """Take steps while the run goes on; family: StepFunctions."""
    while family.goes_on(run):
        h = family.propose(run)
        if not h > 0.0:
            break
        ratio = family.attempt(run, h)
        if ratio > 1.0:
            family.reject(run, h, ratio)
            continue
        part = family.search(run, h)
        if part < h:
            family.shorten(run, h, part)
            continue
        family.choose(run, h, ratio)
        family.store_rows(run, h)
        family.watch(run, h)
        family.commit(run, h)
        family.settle(run, h)
        family.conclude(run, h)


@device
def nothing(run, h):
    """In place of a function that a family does not need."""


@device
def to_the_end(run, h):
    """In place of `search`: nothing ends a step early."""
    return h


@device
def no_part(run, h, part):
    """In place of `shorten`, of a family whose steps nothing ends early."""
