"""`haptos size`: what a tether must be for a speed, without any simulation."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import typer

from haptos.cli.command_names import NamedCommands

app = typer.Typer(
    cls=NamedCommands,
    no_args_is_help=True,
    help="Size a part by closed forms, without a simulation.",
)
PLOTTED = 160  # speeds of a curve
LISTED = 4  # rows that are printed with all their columns
WIDTH = 11
SHORT = (  # head, unit and column of the short table
    ("payload", "kg/kg", "payload_per_tether"),
    ("tapered", "kg/kg", "tapered_tether_per_payload"),
    ("stop from", "kg", "stop_start_mass_kg"),
    ("stop in", "m", "stop_length_m"),
    ("stop with", "N", "stop_tension_N"),
    ("turn with", "N", "turn_force_N"),
)


@app.callback()
def size() -> None:
    """Size a part by closed forms, without a simulation."""


@app.command("tether")
def tether(
    speed: list[float] = typer.Option(
        [500.0, 1000.0, 1500.0], "--speed", help="Tip or fly-by speed in m/s; may be given often."
    ),
    material: list[str] = typer.Option(
        [], "--material", help="Fibre, by its name; all of the table if left out."
    ),
    share: float | None = typer.Option(
        None, "--share", help="Working stress over breaking stress; 0.5 if left out."
    ),
    strain: float | None = typer.Option(
        None, "--strain", help="Working strain, in place of --share: stress = E strain."
    ),
    mass: float = typer.Option(1000.0, "--mass", help="Payload at the tip, or what is left after a stop, in kg."),
    length: float = typer.Option(100e3, "--length", help="Length of a spun or turning tether, in m."),
    section: float = typer.Option(5.34e-6, "--section", help="Section of a line that ejects, stops or turns, in m^2."),
    turn: float = typer.Option(60.0, "--turn", help="Angle of a turn, in deg."),
    out: Path | None = typer.Option(None, "--out", help="Write the table to this CSV file."),
    plot: Path | None = typer.Option(None, "--plot", help="Draw payload, taper, stop and turn over speed to this file."),
) -> None:  # fmt: skip
    """Tell masses of tethers that spin a payload, stop a fly-by or turn it, by material and speed."""
    from haptos.dynamics.cable.tether_sizes import COLUMNS, tether_sizes

    angle = math.radians(turn)

    def sized(speeds: Sequence[float]) -> list[dict[str, float | str]]:
        return tether_sizes(
            speeds, material, share=share, strain=strain, mass=mass, length=length,
            section=section, turn=angle,
        )  # fmt: skip

    rows = sized(speed)
    if plot is not None:
        from haptos.view.size_plots import plot_sizes

        top = 1.2 * max(speed)
        plot_sizes(sized([top * (k + 1) / PLOTTED for k in range(PLOTTED)]), plot)
    _print_answer(rows)
    if out is None:
        _print(rows, COLUMNS)
    else:
        _write(rows, COLUMNS, out)
    if plot is not None:
        print(f"picture: {plot}")


@app.command("materials")
def materials(
    material: list[str] = typer.Option(
        [], "--material", help="Fibre, by its name; all of the table if left out."
    ),
    out: Path | None = typer.Option(None, "--out", help="Write the table to this CSV file."),
) -> None:
    """Tell every value of the fibres that tethers are sized with, and where it comes from."""
    from haptos.dynamics.cable.tether_sizes import MATERIAL_COLUMNS, material_table

    rows = material_table(material)
    if out is not None:
        _write(rows, MATERIAL_COLUMNS, out)
        return
    for row in rows:
        print(
            f"{row['material']:<18}{row['quantity']:<17}{row['value']:>12.5g} {row['unit']:<8}{row['source']}"
        )


def _write(rows: list[dict[str, float | str]], columns: tuple[str, ...], out: Path) -> None:
    """Rows as a CSV file, written whole."""
    import csv
    import io

    from haptos.core.whole_files import write_whole

    text = io.StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    write_whole(out, text.getvalue())
    print(f"{len(rows)} row{'s' * (len(rows) != 1)} in {out}")


def _print_answer(rows: list[dict[str, float | str]]) -> None:
    """A sentence for each speed: what carries most."""
    for speed in dict.fromkeys(row["speed_m_per_s"] for row in rows):
        print(_best([row for row in rows if row["speed_m_per_s"] == speed], float(speed)))


def _print(rows: list[dict[str, float | str]], columns: tuple[str, ...]) -> None:
    """The numbers: all of a few rows, a short table of many."""
    if len(rows) > LISTED:
        _print_short(rows)
        return
    for row in rows:
        print(f"{row['material']} at {row['speed_m_per_s']:g} m/s")
        for name in columns[2:]:
            print(f"  {name:<32}{_number(row[name], 14)}")


def _best(rows: list[dict[str, float | str]], speed: float) -> str:
    """What carries most at one speed, in a sentence."""
    best = max(rows, key=lambda row: float(row["payload_per_tether"]))
    carried = float(best["payload_per_tether"])
    if carried <= 0.0:
        return f"At {speed:g} m/s no tether of constant section carries a payload at this stress."
    return (
        f"Best at {speed:g} m/s: {best['material']} carries {carried:.3g} kg per kg of tether "
        f"at {best['working_stress_Pa']:.3g} Pa."
    )


def _print_short(rows: list[dict[str, float | str]]) -> None:
    """One line for each fibre and speed."""
    print(f"{'':<18}{'':>8}" + "".join(f"{head:>{WIDTH}}" for head, _, _ in SHORT))
    print(f"{'fibre':<18}{'m/s':>8}" + "".join(f"{unit:>{WIDTH}}" for _, unit, _ in SHORT))
    for row in rows:
        is_turned = float(row["turn_carries_line"]) == 1.0
        shown = row if is_turned else {**row, "turn_force_N": math.nan}
        numbers = "".join(_number(shown[name], WIDTH) for _, _, name in SHORT)
        print(f"{row['material']:<18}{row['speed_m_per_s']:>8g}{numbers}")
    print("–: this line does not bear it. All columns: one --material, or --out FILE.csv")


def _number(value: float | str, width: int) -> str:
    """A number in its column, a dash where there is none."""
    return f"{'–':>{width}}" if math.isnan(float(value)) else f"{value:>{width}.5g}"
