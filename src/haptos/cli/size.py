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


@app.callback()
def size() -> None:
    """Size a part by closed forms, without a simulation."""


@app.command("tether")
def tether(
    speed: list[float] = typer.Option(
        [500.0, 1000.0, 1500.0], "--speed", help="Tip or fly-by speed [m/s]; may be given often."
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
    mass: float = typer.Option(1000.0, "--mass", help="Payload at the tip, or what is left after a stop [kg]."),
    length: float = typer.Option(100e3, "--length", help="Of a spun or turning tether [m]."),
    section: float = typer.Option(5.34e-6, "--section", help="Of a line that ejects, stops or turns [m^2]."),
    turn: float = typer.Option(60.0, "--turn", help="Angle of a turn [deg]."),
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
    if out is not None:
        _write(rows, COLUMNS, out)
        return
    _print(rows, COLUMNS)


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
    print(f"{len(rows)} rows in {out}")


def _print(rows: list[dict[str, float | str]], columns: tuple[str, ...]) -> None:
    """The answer first, then the numbers."""
    carrying = [row for row in rows if float(row["payload_per_tether"]) > 0.0]
    best = max(carrying, key=lambda row: float(row["payload_per_tether"]), default=None)
    if best is None:
        print("No tether of constant section carries a payload at this stress.")
    else:
        print(
            f"Best of all: {best['material']} at {best['speed_m_per_s']:g} m/s carries "
            f"{best['payload_per_tether']:.3g} kg per kg of tether at {best['working_stress_Pa']:.3g} Pa."
        )
    for row in rows:
        print(f"{row['material']} at {row['speed_m_per_s']:g} m/s")
        for name in columns[2:]:
            print(f"  {name:<32}{row[name]:>14.5g}")
