"""Labels asked for in every way: queries, patterns, predicates of views and plain Python give the same vertices."""

from __future__ import annotations

import pytest
import rizoma as rz

TEXTS = {
    **{"a": "Person;Actor", "b": "Person", "c": "Actor;", "d": ";Person", "e": None, "f": "", "g": "Persona;x"},
    **{"h": "Person Actor", "i": "person", "j": "Ä;Ö", "k": "it's;q\"x", "l": "Person;;Actor", "m": ";"},
    **{
        "n": "日本;Person",
        "o": "Actor;Actor",
        "p": "a`b;\\w",
        "q": "Per",
        "r": "x\ny;z",
        "s": "%;_",
        "t": "Person\0;z",
    },
    **{"u": "Person:Actor", "v": "A|B", "w": " Person", "x": "IN;NOT", "y": "Person;A.*", "z": "(a;b)"},
}
LABELS = [
    *("Person", "Actor", "Persona", "person", "Ä", "ä", "Ö", "it's", 'q"x', "a`b", "\\w", "Per", "x", "x\ny", "z"),
    *("%", "_", "日本", "Person Actor", "Person\0", "Person:Actor", "A|B", " Person", "IN", "NOT", "A.*", "(a", "b)"),
    *("Person;Actor", "Actor;", "rson", "ctor", ".", "Nobody"),
]
IDS = list(TEXTS)
EDGES = [(a, b) for i, a in enumerate(IDS) for j, b in enumerate(IDS) if (i * 7 + j * 3) % 5 == 0]


def items(text):
    return [] if text is None else [each for each in text.split(";") if each]


def has(vertex, label):
    return TEXTS[vertex] is not None and (TEXTS[vertex] == label or label in TEXTS[vertex].split(";"))


@pytest.fixture(scope="module", params=["written", "reopened", "tagged"])
def graph(request, tmp_path_factory):
    path = tmp_path_factory.mktemp("labels") / "g.rz"
    with rz.open(path, directed=True, ids="string", vertices={"label": "string"}) as made:
        made.add_vertices({"vertex": IDS, "label": list(TEXTS.values())})
        made.add_edges(EDGES)
        made.tag("then")
        if request.param == "written":
            yield made
            return
    if request.param == "tagged":
        with rz.open(path) as made:
            made.set_vertices({"vertex": IDS, "label": ["other"] * len(IDS)})
    with rz.open(path, at="then" if request.param == "tagged" else None) as made:
        yield made


def ids(table):
    return sorted(table.to_arrow()[0].to_pylist())


def number(query):
    return query.to_arrow()[0][0].as_py()


@pytest.mark.parametrize("label", LABELS)
@pytest.mark.filterwarnings("ignore:no vertex has the label")
def test_every_way_finds_the_same(graph, label):
    name, text = f"`{label.replace('`', '``')}`", "'" + label.replace("'", "''") + "'"
    those = [v for v in IDS if has(v, label)]
    others = [v for v in IDS if v not in those]
    others_with_text = [v for v in others if TEXTS[v] is not None]
    before = sorted({a for a, b in EDGES if b in those})

    def query(text, **values):
        return ids(graph.query(text, **values))

    found = {
        "pattern": query(f"MATCH (n:{name}) RETURN n.id"),
        "condition": query(f"MATCH (n) WHERE n:{name} RETURN n.id"),
        "value": query(f"MATCH (n) WITH n, n:{name} AS is_so WHERE is_so RETURN n.id"),
        "one of two": query(f"MATCH (n:Nobody|{name}) RETURN n.id"),
        "match": ids(graph.match(f"(n:{name})")),
        "predicate of a match": ids(graph.match("(n)", where=f"has(n.label, {text})")),
        "parameter": ids(graph.match("(n)").where("has(n.label, $label)", label=label)),
        "view": sorted(graph.where(vertices=f"has(label, {text})")),
    }
    assert found == dict.fromkeys(found, those)
    assert query(f"MATCH (n) WHERE NOT n:{name} RETURN n.id") == others
    assert query(f"MATCH (n) WITH n, n:{name} AS is_so WHERE NOT is_so RETURN n.id") == others
    assert ids(graph.match("(n)", where=f"not has(n.label, {text})")) == others_with_text
    assert sorted(graph.where(vertices=f"not has(label, {text})")) == others_with_text
    assert query("MATCH (n) WHERE $label IN labels(n) RETURN n.id", label=label) == [
        v for v in IDS if label in items(TEXTS[v])
    ]
    both = [v for v in those if has(v, "Person")]
    assert query(f"MATCH (n:Person:{name}) RETURN n.id") == both == ids(graph.match(f"(n:{name}:Person)"))
    assert query(f"MATCH (m) WHERE EXISTS {{ (m)-->(:{name}) }} RETURN m.id") == before
    assert query(f"MATCH (m) WHERE NOT (m)-->(:{name}) RETURN m.id") == [v for v in IDS if v not in before]
    assert graph.match(f"(n:{name})-->(m)").count() == sum(a in those for a, _ in EDGES)
    assert number(graph.query(f"MATCH (m)-->(n:{name}) RETURN count(*)")) == sum(b in those for _, b in EDGES)
    rows = graph.query(f"MATCH (m) OPTIONAL MATCH (m)-->(n:{name}) RETURN m.id AS m, count(n) AS found").to_arrow()
    assert sorted(map(tuple, (row.values() for row in rows.to_pylist()))) == [
        (v, sum(a == v and b in those for a, b in EDGES)) for v in IDS
    ]
    per_vertex = graph.match(f"(m)-->(n:{name})").group_by("m").count().to_arrow().to_pylist()
    assert {row["m"]: row["count"] for row in per_vertex} == {
        v: sum(a == v and b in those for a, b in EDGES) for v in before
    }


def test_labels_are_the_list_without_empty_texts(graph):
    rows = graph.query("MATCH (n) RETURN n.id AS id, labels(n) AS labels").to_arrow().to_pylist()
    assert {row["id"]: row["labels"] for row in rows} == {v: items(text) for v, text in TEXTS.items()}
    counted = graph.query("MATCH (n) UNWIND labels(n) AS label RETURN label, count(*) AS found").to_arrow().to_pylist()
    every = [label for text in TEXTS.values() for label in items(text)]
    assert {row["label"]: row["found"] for row in counted} == {label: every.count(label) for label in every}


@pytest.mark.parametrize(
    ("query", "options", "said"),
    [
        ("MATCH (n:!Person) RETURN n", {}, "WHERE NOT n:Person asks for none"),
        ("MATCH (n:(Person|Actor)) RETURN n", {}, r'joined by ":" \(all\) or "\|"'),
        ("MATCH (n:``) RETURN n", {}, "the name of a label is empty"),
        ("MATCH (n) WHERE n:`` RETURN n", {}, "the name of a label is empty"),
        (
            "MATCH (n:Person) RETURN n",
            {"label_column": "age"},
            "a label is text, and 'age' has a number; label_column=",
        ),
        ("MATCH (n) RETURN labels(n)", {"label_column": "age"}, "a label is text, and 'age' has a number"),
        ("MATCH (n) WHERE 'Person' IN n.label RETURN n", {}, r"not text; write labels\(n\) for the labels of a vertex"),
        ("MATCH (n) WHERE any(l IN n.label WHERE l = 'x') RETURN n", {}, r"write labels\(n\) for the labels"),
        ("MATCH (n) WHERE has(n.label, 'Person') RETURN n", {}, "write n:Person for a label"),
    ],
)
def test_what_asks_for_labels_otherwise(query, options, said):
    graph = rz.open(None, directed=True, ids="string", vertices={"label": "string", "age": "int64"})
    graph.add_vertices({"vertex": ["a"], "label": ["Person"], "age": [3]})
    with pytest.raises(rz.ParseError, match=said):
        graph.query(query, **options).to_arrow()


@pytest.mark.parametrize("where", ["n:Person", "'Person' in n.label", "n.label has 'Person'"])
def test_predicates_name_has(where):
    graph = rz.open(None, directed=True, vertices={"label": "string"})
    with pytest.raises(rz.ParseError, match=r"has\("):
        graph.match("(n)", where=where).count()


def test_a_misspelt_label_of_a_condition_is_told():
    graph = rz.open(None, directed=True, ids="string", vertices={"label": "string"})
    graph.add_vertices({"vertex": ["a", "b"], "label": ["Person;Actor", "Movie"]})
    with pytest.warns(rz.errors.ReadWarning, match="no vertex has the label 'Acter'; did you mean 'Actor'"):
        graph.query("MATCH (n) WHERE n:Acter RETURN n").to_arrow()
