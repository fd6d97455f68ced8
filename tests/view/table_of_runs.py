"""A made-up campaign for tests of views: hops with a swept friction and a random speed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from haptos.core.random_streams import stream
from haptos.results.campaign_summary import STATISTICS, CampaignView
from haptos.results.provenance import provenance
from tests.results.hop import hop_config

VARIED = {"random": ["release.velocity_m_per_s"], "swept": ["contact.friction", "probe.shape"]}


def table_of_runs(count: int = 240) -> pd.DataFrame:
    draw = stream(1, 0, "table of runs")
    friction = np.tile([0.2, 0.4, 0.6, 0.8], count)[:count]
    shape = np.repeat(["cube", "icosahedron"], -(-count // 2))[:count]
    speed = np.abs(draw.normal(0.05, 0.01, count))
    travel = speed * 29.0 / (0.5 + friction) * draw.lognormal(0.0, 0.2, count)
    turn = draw.uniform(0.0, 2.0 * np.pi, count)
    outcome = np.where(draw.random(count) < 0.04, "time over", "settled").astype(object)
    outcome[: count // 60] = "not trusted"
    return pd.DataFrame(
        {
            "run": np.arange(count),
            "outcome": outcome,
            "ended": np.where(outcome == "time over", "time over", "settled"),
            "trusted": outcome != "not trusted",
            "contact.friction": friction,
            "probe.shape": shape,
            "release.velocity_m_per_s": speed,
            "settle_time_s": np.where(outcome == "time over", np.nan, 40.0 * travel + 20.0),
            "travel_m": travel,
            "bounce_count": draw.poisson(3.0, count),
            "max_closing_speed_m_per_s": 0.08 + 0.1 * speed,
            "rest_x_m": np.where(outcome == "time over", np.nan, travel * np.cos(turn)),
            "rest_y_m": np.where(outcome == "time over", np.nan, travel * np.sin(turn)),
            "ledger_scale_J": 0.023,
        }
    )


def statistics(runs: pd.DataFrame, metrics: list[str]) -> pd.DataFrame:
    rows: dict[str, dict[str, float]] = {}
    for name in metrics:
        values = runs[name].dropna().to_numpy()
        half = 1.96 * values.std(ddof=1) / np.sqrt(len(values))
        low, q25, mid, q75, high = np.quantile(values, [0.05, 0.25, 0.5, 0.75, 0.95])
        mean = float(values.mean())
        found = [len(values), mean, values.std(ddof=1), values.min(), low, q25, mid, q75, high]
        found += [values.max(), mean - half, mean + half]
        found += [end for q in (low, q25, mid, q75, high) for end in (0.98 * q, 1.02 * q)]
        rows[name] = dict(zip(STATISTICS, map(float, found), strict=True))
    return pd.DataFrame.from_dict(rows, orient="index", columns=list(STATISTICS))


def campaign_view(count: int = 240, **changes: Any) -> CampaignView:
    runs = table_of_runs(count)
    fields: dict[str, Any] = {
        "title": "friction and shape",
        "scenario": "lander",
        "config": hop_config(),
        "varied": [
            {"key": "contact.friction", "kind": "swept", "description": "0.2, 0.4, 0.6, 0.8"},
            {"key": "probe.shape", "kind": "swept", "description": "cube, icosahedron"},
            {
                "key": "release.velocity_m_per_s",
                "kind": "random",
                "description": "normal, mean 0.05, sigma 0.01",
            },
        ],
        "runs": runs,
        "statistics": statistics(runs, ["settle_time_s", "travel_m", "bounce_count"]),
        "provenance": provenance(hop_config(), 1, 12.5),
        "reproduce": "haptos campaign study.toml --out out/study",
        "cites": ("VanWal2018", "Salmon2011"),
    }
    return CampaignView(**(fields | changes))
