"""haptos simulates what happens when spacecraft touch things.

    import haptos as hp

    scenario = hp.default("lander")
    result = hp.simulate(scenario)
    print(result.outcome, result.ledger.relative_remainder)
    hp.show(result)

Public names load their modules when first used, so that `import haptos` costs next to nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from haptos import campaign
    from haptos.core.errors import ConfigError, GeometryError, HaptosError, StorageError
    from haptos.core.outcome import Outcome
    from haptos.face import cite, open, show, simulate, simulate_batch
    from haptos.results.ledger import EnergyLedger
    from haptos.results.result import Result
    from haptos.scenarios.files import default, load
    from haptos.scenarios.own_controller import Controller
    from haptos.scenarios.system_control import Push

    __version__: str

_HOME = {
    "load": "haptos.scenarios.files",
    "default": "haptos.scenarios.files",
    "simulate": "haptos.face",
    "simulate_batch": "haptos.face",
    "show": "haptos.face",
    "open": "haptos.face",
    "cite": "haptos.face",
    "Result": "haptos.results.result",
    "EnergyLedger": "haptos.results.ledger",
    "Outcome": "haptos.core.outcome",
    "HaptosError": "haptos.core.errors",
    "ConfigError": "haptos.core.errors",
    "GeometryError": "haptos.core.errors",
    "StorageError": "haptos.core.errors",
    "Controller": "haptos.scenarios.own_controller",
    "Push": "haptos.scenarios.system_control",
}

__all__ = [
    "ConfigError",
    "Controller",
    "EnergyLedger",
    "GeometryError",
    "HaptosError",
    "Outcome",
    "Push",
    "Result",
    "StorageError",
    "__version__",
    "campaign",
    "cite",
    "default",
    "load",
    "open",
    "show",
    "simulate",
    "simulate_batch",
]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        value = getattr(importlib.import_module(_HOME[name]), name)
    elif name == "campaign":
        # Both a room and a function: the module is callable, docs/decisions/0002 says why.
        value = importlib.import_module("haptos.campaign")
    elif name == "__version__":
        from importlib import metadata

        value = metadata.version("haptos")
    else:
        raise AttributeError(f"module 'haptos' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
