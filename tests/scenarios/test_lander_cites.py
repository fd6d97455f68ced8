"""The bibliography of a run names the laws that ran, and no others."""

from __future__ import annotations

import haptos
from haptos.scenarios.files import parse
from haptos.scenarios.lander.cited_laws import sources
from haptos.scenarios.merging import laid_over


def changed(base: str, **tables: object):
    return parse(laid_over(haptos.default(base).as_table(), tables), "here")


def test_impacts_cite_the_law_of_restitution_that_was_chosen():
    keys = {
        law: sources(changed("lander-bilobe", contact={"restitution_law": law}))
        for law in ("energetic", "kinematic", "kinetic")
    }
    assert "Stronge1990" in keys["energetic"]
    assert "Kane1985" in keys["kinematic"]
    assert "Kane1985" not in keys["energetic"]
    assert "Stronge1990" not in keys["kinematic"]
    assert "Stronge1990" in keys["kinetic"]


def test_springs_cite_no_law_of_impacts():
    keys = sources(haptos.default("lander"))
    assert not {"Stronge1990", "Bhatt1995", "Jourdan1998", "Goldstein2002"} & set(keys)


def test_what_a_table_adds_is_cited():
    rocks = {"rocks_per_m2": 1.0}
    assert "Tardivel2014" not in sources(haptos.default("lander-bilobe"))
    with_rocks = changed("lander-bilobe", contact={"stochastic_rocks": rocks})
    assert "Tardivel2014" in sources(with_rocks)
    restless = changed("lander-bilobe", settle={"balance": False})
    assert "Jourdan1998" not in sources(restless)


def test_closed_form_rotation_is_cited_for_tops_alone():
    box = {"shape": "box", "mass_kg": 5.0, "size_m": [0.1, 0.2, 0.3]}
    table = haptos.default("lander-bilobe").as_table()
    lopsided = parse({**table, "probe": box}, "here")
    cube = parse({**table, "probe": {**box, "size_m": [0.2, 0.2, 0.2]}}, "here")
    assert "Goldstein2002" not in sources(lopsided)
    assert "Goldstein2002" in sources(cube)


def test_balls_cite_what_holds_them_between_walls():
    keys = {
        name: sources(changed(name, settle={"balance": False}))
        for name in ("lander-bilobe", "lander-ball-low")
    }
    assert "Jourdan1998" in keys["lander-ball-low"]
    assert "Jourdan1998" not in keys["lander-bilobe"]
