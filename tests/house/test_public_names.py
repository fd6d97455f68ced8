"""The public face: every name is there, whatever was imported before."""

from __future__ import annotations

import subprocess
import sys
from importlib import metadata

import pytest

import haptos as hp


def test_every_public_name_loads():
    assert not [name for name in hp.__all__ if getattr(hp, name, None) is None]
    assert set(hp.__all__) <= set(dir(hp))


def test_unknown_names_are_attribute_errors():
    with pytest.raises(AttributeError, match="no attribute 'simulat'"):
        hp.simulat  # noqa: B018


def test_version_is_that_of_the_installed_package():
    assert hp.__version__ == metadata.version("haptos")


ORDERS = {
    "name first": "import haptos as hp; before = hp.campaign; import haptos.campaign.plan",
    "room first": "import haptos.campaign.plan; import haptos as hp; before = hp.campaign",
    "alias first": "import haptos.campaign.plan as plan; import haptos as hp; before = hp.campaign",
    "from first": "from haptos import campaign as before; import haptos as hp",
}


@pytest.mark.parametrize("order", ORDERS)
def test_campaign_is_one_callable_room_in_every_order_of_imports(order: str):
    check = (
        "import sys; assert hp.campaign is before is sys.modules['haptos.campaign']; "
        "assert callable(hp.campaign); from haptos.campaign.plan import load_plan; "
        "assert hp.campaign.plan.load_plan is load_plan"
    )
    subprocess.run([sys.executable, "-c", f"{ORDERS[order]}; {check}"], check=True, timeout=60)
