"""A process that runs a slow campaign, to be killed: python interrupted_study.py STUDY OUT."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from haptos.campaign.campaign import campaign
from haptos.campaign.interruption import Interrupted
from tests.campaign.fake_scenario import slow_batch

if __name__ == "__main__":
    try:
        campaign(sys.argv[1], out=sys.argv[2], resume=True, workers=1, batch=slow_batch)
    except Interrupted as stopped:
        print(f"haptos: {stopped}", file=sys.stderr)
        sys.exit(stopped.exit_code)
