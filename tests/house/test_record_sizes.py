"""A record of more than 15 fields is several things: those that there are stand here, a new one is refused.

Tables of scenario files are not looked at: their keys are a file's, which are grouped in tables by what they say.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.house.sources import SOURCES, tree, walked

MOST = 15
# Record -> why it is not cut in parts.
LARGE = {
    "Field": "numbers of five kinds of frames and fields, of which one acts",
    "TouchingPair": "two bodies and all that acts on them, by value",
    "PlantLayout": "sizes and first rows in one flat state",
    "PlantContact": "a pair of surfaces: numbers, working arrays and memory",
    "PolygonSet": "columns, one row for each polygon",
    "CurvedFaces": "columns, one row for each face",
    "PolyhedralRocks": "columns and tables of a field of rocks",
    "Appendages": "matrices of all wings of a body",
    "GuardMemory": "columns, one row for each body that is guarded",
    "Boom": "numbers of a boom with line, stage, ground and control",
    "EndBody": "what a user says of an end body; SI units",
    "TetherSystem": "what a user says of a tether and its ends",
    "JoinedBoom": "what a user says of a boom",
    "RetrievalCase": "what a user says of a retrieval by the reduced model",
    "LiftoffMap": "columns, one row for each vertex",
    "Stored": "columns, one row for each stored time",
    "GroundedRun": "all that a run gives back",
    "Result": "all that a run of any scenario gives back; its contract",
    "CampaignView": "all that a report shows of a campaign",
    "DockingFlight": "a run while it lasts: plant, loops, sensors, accounts",
    "Seen": "all that the sequence of a docking decides by",
    "Shapes": "surfaces of a docking",
    "HarpoonHistory": "what the phases of a run leave for its tables",
}


def records(module: ast.Module) -> Iterator[tuple[str, int]]:
    """(name, fields) of the classes, named tuples and structured types of a file."""
    for node in walked(module):
        if isinstance(node, ast.ClassDef):
            marked = [part for part in node.body if isinstance(part, ast.AnnAssign)]
            yield node.name, sum("ClassVar" not in ast.unparse(part.annotation) for part in marked)
        value = node.value if isinstance(node, ast.Assign) else None
        if isinstance(value, ast.Call) and len(value.args) > 0:
            made = ast.unparse(value.func)
            name = ast.unparse(node.targets[0]) if isinstance(node, ast.Assign) else ""
            if made.endswith("namedtuple"):
                fields = ast.literal_eval(value.args[1])
                words = fields.replace(",", " ").split() if isinstance(fields, str) else fields
                yield name, len(words)
            elif made == "np.dtype" and isinstance(value.args[0], ast.List):
                yield name, len(value.args[0].elts)


def large(module: ast.Module) -> set[str]:
    return {name for name, count in records(module) if count > MOST}


def test_no_further_record_has_more_than_fifteen_fields():
    found = {
        name for path in SOURCES if "config" not in path.stem for name in large(tree(path))
    }  # fmt: skip
    assert not found - set(LARGE), "cut it in parts by what belongs together"
    assert not set(LARGE) - found, "small by now: take it out of the list"


def test_the_count_sees_fields_of_every_kind_of_record():
    many = [f"f{n}" for n in range(16)]
    fields = "\n    ".join(f"{name}: float" for name in many)
    assert large(ast.parse(f"class A:\n    {fields}")) == {"A"}
    assert large(ast.parse(f"B = namedtuple('B', '{' '.join(many)}')")) == {"B"}
    listed = ", ".join(f"('{name}', 'f8')" for name in many)
    assert large(ast.parse(f"C = np.dtype([{listed}])")) == {"C"}
    assert large(ast.parse(f"C = np.dtype([{listed.rpartition(', (')[0]}])")) == set()
