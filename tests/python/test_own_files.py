"""Files as people have them: read as they are meant, or refused with what to do; nothing is lost without a word."""

import json
import re

import pandas as pd
import pytest
import rizoma as rz

GRAPHML = """<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="d0" for="node" attr.name="age" attr.type="int"/><key id="d1" for="edge" attr.name="since" attr.type="int"/>
<graph edgedefault="directed"><node id="a"><data key="d0">3</data></node><node id="b"/>
<edge source="a" target="b"><data key="d1">2019</data></edge></graph></graphml>
"""


def edges_of(graph):
    table = graph.edges.to_arrow()
    return sorted(zip(table["source"].to_pylist(), table["target"].to_pylist(), strict=True))


def notes_of(graph):
    return str(graph.last_import)


# ---- what an import tells ----


def test_columns_that_are_kept_are_not_said_to_be_lost(tmp_path):
    file = tmp_path / "paid.csv"
    file.write_text("payer,payee,amount,day,note\nann,bob,2.5,2026-01-02,x\n")
    graph = rz.read(file, edges={"amount": "float64", "day": "date"})
    assert "kept: 'amount', 'day'" in notes_of(graph)
    assert "not read: 'note'" in notes_of(graph)


def test_the_ends_of_edges_are_found_when_columns_are_kept(tmp_path):
    file = tmp_path / "calls.csv"
    file.write_text("minutes,caller,callee\n3,ann,bob\n4,bob,cem\n")
    graph = rz.read(file, edges={"minutes": "int32"}, directed=True)
    assert edges_of(graph) == [("ann", "bob"), ("bob", "cem")]
    (found,) = graph.last_import.files
    assert (found.source, found.target) == ("caller", "callee")


def test_values_of_documents_that_are_not_kept_are_told(tmp_path):
    file = tmp_path / "g.graphml"
    file.write_text(GRAPHML)
    text = notes_of(rz.read(file))
    assert 'not read, of edges: "since"' in text
    assert 'not read, of vertices: "age"' in text
    kept = rz.read(file, edges={"since": "int32"}, vertices={"age": "int16"})
    assert "not read" not in notes_of(kept)


def test_a_table_tells_its_columns_too():
    table = pd.DataFrame({"amount": [1.5, 2.0], "buyer": ["ann", "bob"], "seller": ["bob", "cem"]})
    graph = rz.read(table, directed=True)
    assert edges_of(graph) == [("ann", "bob"), ("bob", "cem")]
    assert "source is 'buyer', target is 'seller'" in notes_of(graph)
    assert "not read: 'amount'" in notes_of(graph)
    assert "<pre" in graph.last_import._repr_html_()


@pytest.mark.parametrize("names", [("from_user", "to_user"), ("FromNodeId", "ToNodeId"), ("person_a", "person_b")])
def test_usual_names_of_ends_are_found_in_tables(names, tmp_path):
    table = pd.DataFrame({"id": [7, 8], names[0]: ["ann", "bob"], names[1]: ["bob", "cem"]})
    assert edges_of(rz.read(table, directed=True)) == [("ann", "bob"), ("bob", "cem")]
    table.to_parquet(tmp_path / "t.parquet")
    assert edges_of(rz.read(tmp_path / "t.parquet", directed=True)) == [("ann", "bob"), ("bob", "cem")]
    rows = table.to_dict("records")
    graph = rz.open(None, directed=True)
    with pytest.raises(rz.ColumnNotFoundError, match="'id'"):
        graph.add_edges(rows)
    graph.add_edges([{name: row[name] for name in names} for row in rows])
    assert edges_of(graph) == [("ann", "bob"), ("bob", "cem")]


@pytest.mark.parametrize("columns", [{}, {"amount": "float64"}])
def test_what_only_numbers_the_rows_of_a_table_is_no_value(columns):
    table = pd.DataFrame({"source": ["ann", "bob", "cem"], "target": ["bob", "cem", "ann"]})
    graph = rz.open(None, directed=True, edges=columns)
    graph.add_edges(table[table.source != "bob"])  # whose index is a column of its Arrow table
    graph.add_edges(table.reset_index().iloc[:, [1, 2, 0]])
    assert len(edges_of(graph)) == 3


def test_a_table_that_counts_its_rows_first_is_asked_about(tmp_path):
    table = pd.DataFrame({"id": [1, 2], "name": ["ann", "bob"], "city": ["rome", "oslo"]})
    with pytest.raises(rz.ColumnNotFoundError, match="do not tell which two"):
        rz.read(table)
    table.to_parquet(tmp_path / "t.parquet")
    with pytest.raises(rz.ColumnNotFoundError, match="source= and target="):
        rz.read(tmp_path / "t.parquet")
    assert edges_of(rz.read(table, source="name", target="city", directed=True)) == [("ann", "rome"), ("bob", "oslo")]


def test_merged_rows_are_told_with_what_keeps_them(tmp_path):
    file = tmp_path / "e.csv"
    file.write_text("source,target\nann,bob\nann,bob\n")
    assert 'parallel_edges="keep"' in notes_of(rz.read(file))
    assert "made no new edge" not in notes_of(rz.read(file, parallel_edges="keep"))


# ---- lists of edges ----


def test_a_weight_that_is_not_all_numbers_is_told(tmp_path):
    file = tmp_path / "a.csv"
    file.write_text("source,target,weight\n1,2,0.5\n2,3,n/a\n")
    graph = rz.read(file)
    assert graph.weights is None
    assert "'weight' is not read as the weight, because its first values are not all numbers" in str(graph.last_import)
    with pytest.raises(rz.ParseError, match=r"a.csv:3:5: found 'n/a'"):
        rz.read(file, weight="weight")
    assert rz.read(file, weight="weight", null="n/a").weight(1, 2) == 0.5
    for text in ("source,target,weight\n1,2,0.5\n", "source,target\n1,2\n", "source,target,weight\n"):
        file.write_text(text)
        assert "is not read as the weight" not in str(rz.read(file).last_import)


def test_a_json_list_of_rows_is_refused_with_what_reads_it(tmp_path):
    file = tmp_path / "a.json"
    file.write_text('[{"source": "ann", "target": "bob"}]')
    with pytest.raises(rz.ParseError, match=r"rizoma.read\(json.load\(open\(FILE\)\)\)"):
        rz.read(file)
    assert list(rz.read(json.loads(file.read_text())).edges) == [("ann", "bob")]


def test_results_are_asked_as_dictionaries_are(tmp_path):
    graph = rz.read([("ann", "bob"), ("bob", "cem")])
    ranks = rz.pagerank(graph)
    assert dict(ranks.items()) == ranks.to_dict()
    assert max(ranks.items(), key=lambda pair: pair[1])[0] == "bob"
    assert ranks.get("bob") == ranks["bob"]
    assert ranks.get("zoe") is None
    assert ranks.get("zoe", 0.0) == 0.0


def test_a_header_of_an_edge_list_is_no_edge(tmp_path):
    file = tmp_path / "e.txt"
    file.write_text("source target weight\nann bob 2.5\nbob cem 1\n")
    graph = rz.read(file)
    assert edges_of(graph) == [("ann", "bob"), ("bob", "cem")]
    assert graph.weight("ann", "bob") == 2.5
    assert "is a header" in notes_of(graph)
    file.write_text("source target\nann bob\n")
    assert rz.read(file).num_edges == 1
    assert rz.read(file, header=False).num_edges == 2


def test_a_third_column_that_is_not_read_is_told(tmp_path):
    file = tmp_path / "e.txt"
    file.write_text("1 2 30\n2 3 40\n")
    assert "not read: column 2" in notes_of(rz.read(file))
    assert "not read" not in notes_of(rz.read(file, weights=True))


def test_what_a_format_has_not_is_refused(tmp_path):
    (tmp_path / "e.txt").write_text("1 2\n")
    (tmp_path / "g.graphml").write_text(GRAPHML)
    for name, options in [("e.txt", {"null": "NA"}), ("g.graphml", {"header": True})]:
        with pytest.raises(rz.InvalidArgumentError, match=f"{next(iter(options))}= is for csv"):
            rz.read(tmp_path / name, **options)


# ---- what is not a file of edges ----


@pytest.mark.parametrize(
    ("name", "remedy"),
    [("e.xlsx", "CSV"), ("e.adjlist", "networkx"), ("e.tar.gz", "unpack"), ("e.DOT", "nx_")],
)
def test_other_formats_are_refused_with_a_way(name, remedy, tmp_path):
    (tmp_path / name).write_text("1 2\n")
    with pytest.raises(rz.UnsupportedError, match=remedy):
        rz.read(tmp_path / name)


def test_a_format_that_is_named_is_read_whatever_the_name(tmp_path):
    (tmp_path / "e.db").write_text("1 2\n")
    assert rz.read(tmp_path / "e.db", format="edge_list").num_edges == 1
    with pytest.raises(rz.InvalidArgumentError, match=r"choose one of auto, .*graphml.*parquet"):
        rz.read(tmp_path / "e.db", format="cvs")


def test_directories_and_stores_are_no_files(tmp_path):
    with pytest.raises(rz.NotFoundError, match="without a file to read"):
        rz.read(tmp_path)
    rz.open(tmp_path / "g.rz").close()
    with pytest.raises(rz.InvalidArgumentError, match="is a Rizoma store"):
        rz.read(tmp_path / "g.rz")


def test_text_that_is_no_utf8_is_named(tmp_path):
    (tmp_path / "e.csv").write_bytes("von,empfänger\nann,bob\n".encode("latin-1"))
    with pytest.raises(rz.ParseError, match=r"e\.csv:1:5: .*convert the file to UTF-8"):
        rz.read(tmp_path / "e.csv", header=True)
    (tmp_path / "f.csv").write_bytes("source,target\nann,bob\n".encode("utf-16"))
    assert sorted(rz.read(tmp_path / "f.csv")) == ["ann", "bob"]


# ---- the command ----


def test_standard_input_has_its_name(rizoma, tmp_path):
    done = rizoma("import", "g.rz", "-", input="source,target\nann,bob\n")
    assert "g.rz: 2 vertices, 1 edge," in done.stderr
    assert "standard input: source is 'source'" in done.stderr
    assert str(tmp_path) not in done.stderr


def test_the_command_reads_urls(rizoma, tmp_path):
    (tmp_path / "an e.csv").write_text("source,target\nann,bob\n")
    (tmp_path / "more.csv").write_text("source,target\nbob,cem\n")
    rizoma("import", "g.rz", (tmp_path / "an e.csv").as_uri())
    rizoma("add", "g.rz", (tmp_path / "more.csv").as_uri())
    with rz.open(tmp_path / "g.rz", mode="read_only") as graph:
        assert edges_of(graph) == [("ann", "bob"), ("bob", "cem")]
    done = rizoma("import", "h.rz", "file:///nowhere/e.csv", check=False)
    assert done.returncode == 1
    assert "/nowhere/e.csv" in done.stderr


def test_examples_of_types_are_shown_whole(rizoma):
    assert "since:timestamp[s]" in rizoma("import", "--help").stdout


def test_paragraphs_of_help_flow_and_examples_stay(rizoma):
    lines = [line.strip() for line in rizoma("info", "--help").stdout.splitlines()]
    assert "rizoma info social.rz" in lines
    assert "rizoma info --topology" in lines


def test_tags_are_listed_on_standard_output(rizoma, tmp_path):
    rz.open(tmp_path / "g.rz").close()
    assert "no tagged states" in rizoma("tags", "g.rz").stderr
    rizoma("tags", "g.rz", "--add", "first")
    assert re.search(r"^\S+ \S+ UTC  first$", rizoma("tags", "g.rz").stdout, re.M)


def test_a_misspelt_algorithm_is_guessed(rizoma, tmp_path):
    rz.open(tmp_path / "g.rz").close()
    done = rizoma("run", "pagrank", "g.rz", check=False)
    assert done.returncode == 2
    assert "did you mean pagerank?" in done.stderr
    assert "choose one of" in rizoma("run", "quux", "g.rz", check=False).stderr


# ---- habits ----


def test_methods_of_networkx_that_change_a_graph_are_told_by_their_names_here():
    graph = rz.open(None)
    for theirs, here in [("add_edge", r"add_edges\(\[\(u, v\)\]\)"), ("remove_node", "remove_vertices")]:
        with pytest.raises(AttributeError, match=here):
            getattr(graph, theirs)
    assert not hasattr(graph, "add_edge")


def test_what_other_libraries_call_otherwise_is_told_by_its_name_here():
    """`rz.Graph()` said that `core` and `path` were missing."""
    graph = rz.open(None)
    for theirs, here in [("save", r"export\(file\)"), ("to_pandas", r"edges\.to_pandas\(\)")]:
        for each in (graph, graph.snapshot()):
            with pytest.raises(AttributeError, match=here):
                getattr(each, theirs)
    for args in ((), ([("ann", "bob")],), ("people.rz",)):
        with pytest.raises(TypeError, match=r"rizoma\.open\(path\)"):
            rz.Graph(*args)


def test_the_number_of_vertices_has_a_name():
    graph = rz.open(None)
    graph.add_edges([("ann", "bob"), ("bob", "cem")])
    graph.remove_vertices(["cem"])
    assert graph.num_vertices == len(graph) == graph.snapshot().num_vertices == graph.info().num_vertices == 2


def test_a_store_of_another_kind_says_what_it_has_and_what_was_asked(rizoma, tmp_path):
    (tmp_path / "e.csv").write_text("source,target,amount\na,b,1\n")
    rizoma("import", "g.rz", "e.csv")
    done = rizoma("import", "g.rz", "e.csv", "--directed", check=False)
    assert "was created with --undirected, not --directed; leave that out" in done.stderr
    done = rizoma("import", "g.rz", "e.csv", "--all-columns", check=False)
    assert "was created with edge columns (none), not edge columns (amount int64)" in done.stderr


def test_a_memory_limit_that_is_too_small_says_how_much_is_enough(rizoma, tmp_path):
    (tmp_path / "e.txt").write_text("0 1\n1 2\n")
    told = rizoma("import", "g.rz", "e.txt", "--memory-limit", "1M", check=False).stderr
    enough = re.search(r"give (\d+M) or more", told)
    assert enough, told
    rizoma("import", "g.rz", "e.txt", "--memory-limit", enough[1])


def test_the_place_in_a_condition_is_shown_below_it(rizoma, tmp_path):
    rz.generate("grid", 2, into=tmp_path / "g.rz").close()
    told = rizoma("match", "g.rz", "(a)-[e]->(b)", "--where", "e.when > 3", check=False).stderr.splitlines()
    assert told[1:] == ["  e.when > 3", "  ^"]
