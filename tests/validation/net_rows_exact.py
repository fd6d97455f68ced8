"""Row V15 of the page on nets with error control: the whole chain by Dormand and Prince."""

from __future__ import annotations

from tests.validation.lander_verdicts import Row
from tests.validation.net_chain import Numbers
from tests.validation.net_chain_exact import exact_chain
from tests.validation.net_rows_laws import judged
from tests.validation.net_rows_opening import not_run
from tests.validation.net_trials import is_kept, kept

SHARES = (1e-4,)  # of the scheme's default tolerances
SHARES_LOSSES = (1e-2,)
MEASURES = {
    f"exact-{closing}{'-losses' if has_losses else ''}": (
        lambda closing=closing, has_losses=has_losses: [
            exact_chain(share, has_losses=has_losses, closing=closing)
            for share in (SHARES_LOSSES if has_losses else SHARES)
        ]
    )
    for closing in ("free", "running")
    for has_losses in (False, True)
}


def exact_rows() -> list[Row]:
    """Momenta and ledger through shot, flight, impact, wrap and closing at tight tolerances."""
    if not all(map(is_kept, MEASURES)):
        return [not_run("V15", "the whole chain with error control")]
    runs = {name: kept(name) for name in MEASURES}
    finest = [found[-1] for found in runs.values()]
    linear, angular = (max(n[key] for n in finest) for key in ("momentum", "angular"))
    seconds = max(n["seconds"] for n in finest)
    rows = [
        _row("momenta", "constant to 1e-10 of their scale", f"momentum {linear:.0e}, angular momentum {angular:.0e} at the tightest tolerances",
             max(linear, angular) < 1e-10, f"scheme dormand-prince; the slowest of these runs takes {seconds:.0f} s"),
    ]  # fmt: skip
    for name, what in (("exact-free", "straight lines"), ("exact-running", "line through rings")):
        best = runs[name][-1]["remainder"]
        lossy = runs[f"{name}-losses"]
        share = lossy[-1]["remainder"] * lossy[-1]["scale"] / lossy[-1]["shot_energy"]
        rows.append(_row(f"ledger without losses, {what}, winch included", "to 1e-6 of the energy put in", reported(runs[name]), best < 1e-6, NOTE))  # fmt: skip
        rows.append(_row(f"ledger with losses, {what}", "to 1e-4 of the shot's energy", f"{reported(lossy)}, which is {share:.0e} of the shot's energy alone", share < 1e-4, NOTE))  # fmt: skip
    return rows


NOTE = "tolerances as a share of the scheme's default ones"


def reported(runs: list[Numbers]) -> str:
    return ", ".join(f"{n['remainder']:.0e} at {n['share']:g} of the tolerances" for n in runs)


def _row(what: str, expected: str, found: str, is_true: bool, note: str) -> Row:
    what = f"with error control: {what}"
    return Row("V15", "scenario", what, expected, found, judged(is_true), note)
