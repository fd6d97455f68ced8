"""`haptos size`: what a tether must be for a speed, without any simulation."""

from __future__ import annotations

from pathlib import Path

import typer

app = typer.Typer(no_args_is_help=True, help="Size a part by closed forms, without a simulation.")


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
    share: float = typer.Option(0.5, "--share", help="Working stress over breaking stress."),
    mass: float = typer.Option(1000.0, "--mass", help="Payload at the tip, or what is left after a stop [kg]."),
    length: float = typer.Option(100e3, "--length", help="Of a spun tether [m]."),
    out: Path | None = typer.Option(None, "--out", help="Write the table to this CSV file."),
    plot: Path | None = typer.Option(None, "--plot", help="Draw payload per tether to this file."),
) -> None:  # fmt: skip
    """Tell masses of tethers that spin a payload or stop a fly-by, by material and speed."""
    from haptos.dynamics.cable.tether_sizes import COLUMNS, tether_sizes

    rows = tether_sizes(speed, material, share=share, mass=mass, length=length)
    if plot is not None:
        from haptos.view.size_plots import plot_payloads

        plot_payloads(rows, plot)
    if out is not None:
        from haptos.core.whole_files import write_whole

        lines = [",".join(COLUMNS), *(",".join(map(str, row.values())) for row in rows)]
        write_whole(out, "\n".join(lines) + "\n")
        print(f"{len(rows)} rows in {out}")
        return
    _print(rows, COLUMNS, share)


def _print(rows: list[dict[str, float | str]], columns: tuple[str, ...], share: float) -> None:
    """The answer first, then the numbers."""
    carrying = [row for row in rows if float(row["payload_per_tether"]) > 0.0]
    best = max(carrying, key=lambda row: float(row["payload_per_tether"]), default=None)
    if best is None:
        print(f"No tether of constant section carries a payload at {share:g} of its strength.")
    else:
        print(
            f"Best of all: {best['material']} at {best['speed_m_per_s']:g} m/s carries "
            f"{best['payload_per_tether']:.3g} kg per kg of tether at {share:g} of its strength."
        )
    for row in rows:
        print(f"{row['material']} at {row['speed_m_per_s']:g} m/s")
        for name in columns[2:]:
            print(f"  {name:<32}{row[name]:>14.5g}")
