"""A process that runs a slow campaign, to be killed: python interrupted_study.py STUDY OUT SECONDS_PER_RUN."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from haptos.campaign.campaign import campaign
from haptos.campaign.interruption import Interrupted
from haptos.cli.exit_codes import INTERRUPTED
from tests.campaign.fake_scenario import slow_batch

if __name__ == "__main__":
    batch = partial(slow_batch, seconds=float(sys.argv[3]))
    try:
        campaign(sys.argv[1], out=sys.argv[2], resume=True, workers=1, batch=batch)
    except Interrupted as stopped:
        print(f"haptos: {stopped}", file=sys.stderr)
        sys.exit(INTERRUPTED)
