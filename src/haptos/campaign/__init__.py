"""Many runs: sampling, running (local or on a cluster), storing, resuming, statistics.

The room is also the function of the same name: `haptos.campaign("study.toml", out="out/study")`.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any


class _CallableRoom(ModuleType):
    def __call__(self, *args: Any, **options: Any) -> Any:
        """Run or open a campaign; see `haptos.campaign.campaign.campaign`."""
        from haptos.campaign.campaign import campaign

        return campaign(*args, **options)


sys.modules[__name__].__class__ = _CallableRoom
