"""Nets from tables and graphs: what is written comes back, what is broken is refused."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from haptos.core.errors import ConfigError, GeometryError
from haptos.geometry.nets.net_files import read_net_graph, read_net_tables
from haptos.geometry.nets.net_mesh import net_mesh
from haptos.geometry.nets.net_topology import THREAD_CLASSES

NET = net_mesh("conical", 2.0, 1.5, 8, 3, depth=1.0)


def tables(net=NET):
    knots = pd.DataFrame(net.knots, columns=["x_m", "y_m", "z_m"])
    knots["role"] = ""
    knots.loc[net.tether_knot, "role"] = "tether"
    knots.loc[net.corner_knots, "role"] = "corner"
    knots.loc[net.side_knots, "role"] = "side"
    knots["mouth"] = pd.Series(dtype="Int64")
    knots.loc[net.mouth_knots, "mouth"] = np.arange(len(net.mouth_knots))
    links = pd.DataFrame(net.links, columns=["first", "second"])
    links["class"] = [THREAD_CLASSES[number] for number in net.link_class]
    return knots, links


def written(folder, knots, links, ending="csv"):
    files = folder / f"knots.{ending}", folder / f"links.{ending}"
    for table, file in zip((knots, links), files, strict=True):
        if ending == "csv":
            table.to_csv(file, index=False)
        else:
            table.to_parquet(file)
    return files


def same(found, net=NET):
    for name in ("knots", "links", "link_class", "corner_knots", "side_knots", "mouth_knots"):
        np.testing.assert_array_equal(getattr(found, name), getattr(net, name))
    return found.tether_knot == net.tether_knot


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_tables_come_back_as_written(tmp_path, ending):
    assert same(read_net_tables(*written(tmp_path, *tables(), ending)))


def test_graph_comes_back_as_written(tmp_path):
    knots, links = tables()
    knots["id"] = [f"k{row}" for row in range(len(knots))]
    nodes = [
        {key: value for key, value in row.items() if not pd.isna(value)}
        for row in knots.astype({"mouth": object}).to_dict("records")
    ]
    edges = [
        {"source": f"k{row['first']}", "target": f"k{row['second']}", "class": row["class"]}
        for row in links.to_dict("records")
    ]
    file = tmp_path / "net.json"
    for name in ("links", "edges"):
        file.write_text(json.dumps({"nodes": nodes, name: edges}, default=int))
        assert same(read_net_graph(file))


def test_links_may_use_names_and_natural_lengths(tmp_path):
    knots, links = tables()
    knots["id"] = 100 + np.arange(len(knots))
    links[["first", "second"]] += 100
    links["length_m"] = 0.7
    found = read_net_tables(*written(tmp_path, knots, links))
    np.testing.assert_array_equal(found.links, NET.links)
    assert (found.lengths == 0.7).all()


def spoiled_knots(**changes):
    knots, links = tables()
    for column, (row, value) in changes.items():
        knots[column] = knots[column].astype(object)
        knots.loc[row, column] = value
    return knots, links


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"x_m": (3, "wide")}, "row 3: x_m = 'wide'"),
        ({"y_m": (2, np.nan)}, "row 2: y_m"),
        ({"role": (5, "cornr")}, "rename to 'corner'"),
        ({"role": (0, "")}, "0 knots with the role 'tether'"),
        ({"role": (1, "tether")}, "2 knots with the role 'tether'"),
        ({"mouth": (1, 3)}, "gaps or doubles"),
    ],
)
def test_spoiled_knots_are_refused(tmp_path, changes, says):
    with pytest.raises(GeometryError, match=says):
        read_net_tables(*written(tmp_path, *spoiled_knots(**changes)))


def test_spoiled_links_are_refused(tmp_path):
    knots, links = tables()
    links.loc[4, "second"] = 99
    with pytest.raises(GeometryError, match="row 4: second = '99'"):
        read_net_tables(*written(tmp_path, knots, links))
    knots, links = tables()
    again = pd.concat([links, links.iloc[:1]])
    with pytest.raises(GeometryError, match="joins knots 0 and 1 again"):
        read_net_tables(*written(tmp_path, knots, again))
    with pytest.raises(GeometryError, match="no column 'second'"):
        read_net_tables(*written(tmp_path, knots, links.drop(columns="second")))
    with pytest.raises(ConfigError, match="rename to 'class'"):
        read_net_tables(*written(tmp_path, knots, links.rename(columns={"class": "clas"})))
    with pytest.raises(GeometryError, match="reinforced"):
        read_net_tables(*written(tmp_path, knots, links.assign(**{"class": "strong"})))
    with pytest.raises(GeometryError, match="no rows"):
        read_net_tables(*written(tmp_path, knots, links.iloc[:0]))


def test_doubled_names_are_refused(tmp_path):
    knots, links = tables()
    knots["id"] = np.minimum(np.arange(len(knots)), 7)
    with pytest.raises(GeometryError, match="rows 7 and 8 with the id '7'"):
        read_net_tables(*written(tmp_path, knots, links))


@pytest.mark.parametrize("text", ["{", "[]", '{"nodes": []}', '{"nodes": [1], "links": []}'])
def test_what_is_no_graph_is_refused(tmp_path, text):
    file = tmp_path / "net.json"
    file.write_text(text)
    with pytest.raises(GeometryError):
        read_net_graph(file)


def test_files_that_are_none_are_refused(tmp_path):
    with pytest.raises(GeometryError, match="no such file"):
        read_net_tables(tmp_path / "a.csv", tmp_path / "b.csv")
    with pytest.raises(GeometryError, match=r"ends on '\.txt'"):
        read_net_tables(tmp_path / "a.txt", tmp_path / "b.csv")
    broken = tmp_path / "a.parquet"
    broken.write_bytes(b"not a table")
    with pytest.raises(GeometryError, match="export it again"):
        read_net_tables(broken, broken)
    empty = tmp_path / "a.csv"
    empty.write_text("")
    with pytest.raises(GeometryError, match="export it again"):
        read_net_tables(empty, empty)
