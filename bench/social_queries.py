"""Twenty queries over a social network of LDBC's shape beside DuckDB and Ladybug: docs/measurements/patterns.md.

Usage: social_queries.py [--persons N] [--threads N] [--rounds N] [--only NAME] [--peers duckdb,ladybug]

The queries are short and complex reads and business questions as LDBC asks them, over the network that
`rizoma_lab.bench.social` makes.  Rounds go through all systems in turn; each answer is compared, row by row.  Printed
are medians of processor milliseconds of all threads and of the clock.  `@2011-06-01` stands for a point in time.
"""

from __future__ import annotations

import argparse
import re
import resource
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import numpy as np
import pyarrow as pa
import rizoma as rz
from rizoma_lab.bench.social import EDGE_TYPES, PERSONS, Social, social_network

_PERSON = "(p:Person {id: $p})"
_NEAR = (
    "select distinct f from (select k.b as f from knows k where k.a = $p union all "
    "select j.b from knows k, knows j where k.a = $p and j.a = k.b) where f <> $p"
)


@dataclass(frozen=True)
class Asked:
    """A question in the languages of the systems; `ladybug` where its text differs."""

    name: str
    text: str
    sql: str
    ladybug: str | None = None


QUERIES = (
    Asked(
        "where a person lives",
        f"MATCH {_PERSON}-[:LIVES_IN]->(c:City)-[:IS_PART_OF]->(k:Country) "
        "RETURN p.name AS name, p.born AS born, c.name AS city, k.name AS country",
        "select p.name, p.born, c.name, k.name from person p, lives_in l, city c, is_part_of i, country k "
        "where p.id = $p and l.source = p.id and c.id = l.target and i.source = c.id and k.id = i.target",
    ),
    Asked(
        "a person's newest messages",
        f"MATCH (m:Post|Comment)-[:HAS_CREATOR]->{_PERSON} "
        "RETURN m.id AS id, m.created AS created ORDER BY created DESC, id LIMIT 10",
        "select m.id, m.created from message m, has_creator h where h.target = $p and m.id = h.source "
        "order by 2 desc, 1 limit 10",
    ),
    Asked(
        "friends, the newest first",
        f"MATCH {_PERSON}-[k:KNOWS]-(f:Person) "
        "RETURN f.id AS id, f.name AS name, k.since AS since ORDER BY since DESC, id",
        "select f.id, f.name, k.since from knows k, person f where k.a = $p and f.id = k.b order by 3 desc, 1",
    ),
    Asked(
        "of a name, within three steps",
        f"MATCH {_PERSON}-[:KNOWS*1..3]-(f:Person) WHERE f.name = 'Lena' AND f.id <> $p "
        "RETURN DISTINCT f.id AS id ORDER BY id LIMIT 20",
        "select distinct f from (select k.b as f from knows k where k.a = $p union all select j.b from knows k, knows j"
        " where k.a = $p and j.a = k.b union all select i.b from knows k, knows j, knows i where k.a = $p and j.a = k.b"
        " and i.a = j.b), person q where q.id = f and q.name = 'Lena' and f <> $p order by 1 limit 20",
    ),
    Asked(
        "friends' newest messages",
        f"MATCH {_PERSON}-[:KNOWS]-(f:Person)<-[:HAS_CREATOR]-(m:Post|Comment) WHERE m.created <= @2012-06-01 "
        "RETURN f.id AS friend, m.id AS id, m.created AS created ORDER BY created DESC, id LIMIT 20",
        "select k.b, m.id, m.created from knows k, has_creator h, message m where k.a = $p and h.target = k.b "
        "and m.id = h.source and m.created <= @2012-06-01 order by 3 desc, 2 limit 20",
    ),
    Asked(
        "newest messages within two steps",
        f"MATCH {_PERSON}-[:KNOWS*1..2]-(f:Person) WHERE f.id <> $p WITH DISTINCT f "
        "MATCH (f)<-[:HAS_CREATOR]-(m:Post|Comment) WHERE m.created <= @2012-06-01 "
        "RETURN f.id AS friend, m.id AS id, m.created AS created ORDER BY created DESC, id LIMIT 20",
        f"select f, m.id, m.created from ({_NEAR}), has_creator h, message m where h.target = f "
        "and m.id = h.source and m.created <= @2012-06-01 order by 3 desc, 2 limit 20",
    ),
    Asked(
        "new topics of friends",
        f"MATCH {_PERSON}-[:KNOWS]-(f:Person)<-[:HAS_CREATOR]-(m:Post)-[:HAS_TAG]->(t:Tag) "
        "WHERE m.created >= @2011-06-01 AND m.created < @2011-08-01 AND NOT EXISTS { "
        "MATCH (p)-[:KNOWS]-(:Person)<-[:HAS_CREATOR]-(o:Post)-[:HAS_TAG]->(t) WHERE o.created < @2011-06-01 } "
        "RETURN t.name AS name, count(m) AS posts ORDER BY posts DESC, name LIMIT 10",
        "with tagged as (select m.id, m.created, t.target as tag from knows k, has_creator h, post m, has_tag t "
        "where k.a = $p and h.target = k.b and m.id = h.source and t.source = m.id) "
        "select t.name, count(*) from tagged g, tag t where t.id = g.tag and created >= @2011-06-01 "
        "and created < @2011-08-01 and not exists (select 1 from tagged o where o.tag = g.tag "
        "and o.created < @2011-06-01) group by t.id, t.name order by 2 desc, 1 limit 10",
    ),
    Asked(
        "forums that friends joined",
        f"MATCH {_PERSON}-[:KNOWS]-(f:Person)<-[e:HAS_MEMBER]-(g:Forum) WHERE e.since > @2012-01-01 "
        "RETURN g.name AS name, count(DISTINCT f) AS friends ORDER BY friends DESC, name LIMIT 20",
        "select g.name, count(distinct k.b) from knows k, has_member e, forum g where k.a = $p and e.target = k.b "
        "and g.id = e.source and e.since > @2012-01-01 group by g.id, g.name order by 2 desc, 1 limit 20",
    ),
    Asked(
        "tags beside a tag, of friends' posts",
        f"MATCH {_PERSON}-[:KNOWS]-(f:Person)<-[:HAS_CREATOR]-(m:Post)-[:HAS_TAG]->(t:Tag {{name: $tag}}), "
        "(m)-[:HAS_TAG]->(o:Tag) WHERE o.name <> $tag "
        "RETURN o.name AS name, count(m) AS posts ORDER BY posts DESC, name LIMIT 10",
        "select o.name, count(*) from knows k, has_creator h, post m, has_tag x, tag t, has_tag y, tag o "
        "where k.a = $p and h.target = k.b and m.id = h.source and x.source = m.id and t.id = x.target "
        "and t.name = $tag and y.source = m.id and o.id = y.target and o.name <> $tag "
        "group by o.id, o.name order by 2 desc, 1 limit 10",
    ),
    Asked(
        "who liked a person's messages last",
        f"MATCH {_PERSON}<-[:HAS_CREATOR]-(m:Post|Comment)<-[l:LIKES]-(f:Person) "
        "RETURN f.id AS friend, m.id AS id, l.since AS since ORDER BY since DESC, id LIMIT 20",
        "select l.source, m.id, l.since from has_creator h, message m, likes l where h.target = $p "
        "and m.id = h.source and l.target = m.id order by 3 desc, 2 limit 20",
    ),
    Asked(
        "who works in a country, within two steps",
        f"MATCH {_PERSON}-[:KNOWS*1..2]-(f:Person) WHERE f.id <> $p WITH DISTINCT f "
        "MATCH (f)-[w:WORK_AT]->(c:Company)-[:BASED_IN]->(:Country {name: 'Country 3'}) WHERE w.year < 2000 "
        "RETURN f.id AS friend, c.name AS name, w.year AS year ORDER BY year, friend, name LIMIT 10",
        f"select f, c.name, w.year from ({_NEAR}), work_at w, company c, based_in b, country k where w.source = f "
        "and c.id = w.target and b.source = c.id and k.id = b.target and k.name = 'Country 3' and w.year < 2000 "
        "order by 3, 1, 2 limit 10",
    ),
    Asked(
        "friends' replies to posts with tags",
        f"MATCH {_PERSON}-[:KNOWS]-(f:Person)<-[:HAS_CREATOR]-(c:Comment)-[:REPLY_OF]->(o:Post)-[:HAS_TAG]->(:Tag) "
        "RETURN f.id AS friend, count(DISTINCT c) AS replies ORDER BY replies DESC, friend LIMIT 20",
        "select k.b, count(distinct c.id) from knows k, has_creator h, comment c, reply_of r, post o, has_tag t "
        "where k.a = $p and h.target = k.b and c.id = h.source and r.source = c.id and o.id = r.target "
        "and t.source = o.id group by k.b order by 2 desc, 1 limit 20",
    ),
    Asked(
        "shortest path of friendships",
        f"MATCH w = shortestPath({_PERSON}-[:KNOWS*]-(q:Person {{id: $q}})) RETURN length(w) AS steps",
        "with recursive w(v, steps) using key (v) as (select $p::bigint, 0 union select k.b, w.steps + 1 from w, knows"
        " k where k.a = w.v and not exists (select 1 from recurring.w r where r.v = k.b or r.v = $q)) "
        "select steps from w where v = $q",
        f"MATCH {_PERSON}-[w:KNOWS* SHORTEST]-(q:Person {{id: $q}}) RETURN length(w) AS steps",
    ),
    Asked(
        "messages by year and length",
        "MATCH (m:Post|Comment) WHERE m.created < @2012-10-01 "
        "RETURN m.created.year AS year, CASE WHEN m.length < 40 THEN 0 WHEN m.length < 80 THEN 1 WHEN m.length < 160 "
        "THEN 2 ELSE 3 END AS class, count(*) AS messages, avg(m.length) AS mean, sum(m.length) AS total "
        "ORDER BY year, class",
        "select year(m.created), case when m.length < 40 then 0 when m.length < 80 then 1 when m.length < 160 then 2 "
        "else 3 end, count(*), avg(m.length), sum(m.length) from message m where m.created < @2012-10-01 "
        "group by 1, 2 order by 1, 2",
        "MATCH (m:Post:Comment) WHERE m.created < @2012-10-01 "
        "RETURN date_part('year', m.created) AS year, CASE WHEN m.length < 40 THEN 0 WHEN m.length < 80 THEN 1 "
        "WHEN m.length < 160 THEN 2 ELSE 3 END AS class, count(*) AS messages, avg(m.length) AS mean, "
        "sum(m.length) AS total ORDER BY year, class",
    ),
    Asked(
        "tags of two months",
        "MATCH (m:Post|Comment)-[:HAS_TAG]->(t:Tag) WHERE m.created >= @2011-03-01 AND m.created < @2011-05-01 "
        "RETURN t.name AS name, count(m) AS messages ORDER BY messages DESC, name LIMIT 100",
        "select t.name, count(*) from message m, has_tag h, tag t where h.source = m.id and t.id = h.target "
        "and m.created >= @2011-03-01 and m.created < @2011-05-01 group by t.id, t.name order by 2 desc, 1 limit 100",
    ),
    Asked(
        "who is liked for a tag",
        "MATCH (t:Tag {name: $tag})<-[:HAS_TAG]-(m:Post|Comment)-[:HAS_CREATOR]->(a:Person), (m)<-[:LIKES]-(f:Person) "
        "RETURN a.id AS author, count(f) AS likes ORDER BY likes DESC, author LIMIT 100",
        "select c.target, count(*) from tag t, has_tag h, has_creator c, likes l where t.name = $tag "
        "and h.target = t.id and c.source = h.source and l.target = h.source group by 1 order by 2 desc, 1 limit 100",
    ),
    Asked(
        "triangles of friends since a day",
        "MATCH (a:Person)-[x:KNOWS]-(b:Person)-[y:KNOWS]-(c:Person)-[z:KNOWS]-(a) WHERE a.id < b.id AND b.id < c.id "
        "AND x.since >= @2011-01-01 AND y.since >= @2011-01-01 AND z.since >= @2011-01-01 RETURN count(*) AS triangles",
        "select count(*) from knows x, knows y, knows z where x.b = y.a and y.b = z.a and z.b = x.a and x.a < x.b "
        "and y.a < y.b and x.since >= @2011-01-01 and y.since >= @2011-01-01 and z.since >= @2011-01-01",
    ),
    Asked(
        "how many have written how much",
        "MATCH (p:Person) OPTIONAL MATCH (m:Post|Comment)-[:HAS_CREATOR]->(p) "
        "WHERE m.length > 100 AND m.created > @2012-01-01 WITH p, count(m) AS messages "
        "RETURN messages, count(*) AS persons ORDER BY persons DESC, messages DESC",
        "select n, count(*) from (select p.id, count(m.id) as n from person p left join (has_creator h join message m "
        "on m.id = h.source and m.length > 100 and m.created > @2012-01-01) on h.target = p.id group by 1) "
        "group by 1 order by 2 desc, 1 desc",
    ),
    Asked(
        "who might know whom, by a tag",
        "MATCH (a:Person)-[:HAS_INTEREST]->(t:Tag {name: $tag}), (a)-[:KNOWS]-(m:Person)-[:KNOWS]-(b:Person), "
        "(b)-[:HAS_INTEREST]->(t) WHERE a.id <> b.id AND NOT EXISTS { MATCH (a)-[:KNOWS]-(b) } "
        "RETURN a.id AS one, b.id AS other, count(DISTINCT m) AS mutual ORDER BY mutual DESC, one, other LIMIT 20",
        "select x.a, y.b, count(distinct y.a) from tag t, has_interest i, knows x, knows y, has_interest j "
        "where t.name = $tag and i.target = t.id and x.a = i.source and y.a = x.b and j.source = y.b "
        "and j.target = t.id and x.a <> y.b and not exists (select 1 from knows k where k.a = x.a and k.b = y.b) "
        "group by 1, 2 order by 3 desc, 1, 2 limit 20",
    ),
    Asked(
        "who paid most in a quarter",
        "MATCH (a:Person)-[e:PAID]->(b:Person) WHERE e.since >= @2011-04-01 AND e.since < @2011-07-01 "
        "RETURN a.id AS payer, count(*) AS payments, sum(e.amount) AS total, avg(e.amount) AS mean "
        "ORDER BY total DESC LIMIT 10",
        "select source, count(*), sum(amount), avg(amount) from paid where since >= @2011-04-01 "
        "and since < @2011-07-01 group by 1 order by 3 desc limit 10",
    ),
)

Ask = Callable[[Asked], Any]


def _parameters(network: Social, text: str) -> dict[str, Any]:
    persons = network.vertices["Person"]["id"]
    p, q = persons[len(persons) // 7].as_py(), persons[len(persons) * 2 // 3].as_py()
    given = {"p": p, "q": q, "tag": _tag_of_friends(network, p)}
    return {name: value for name, value in given.items() if f"${name}" in text}


@lru_cache(1)
def _tag_of_friends(network: Social, person: int) -> str:
    """The tag that posts of a person's friends have most, so that no question has an empty answer."""

    def ends(name: str) -> tuple[Any, Any]:
        edges = network.edges[name]
        return np.asarray(edges["source"]), np.asarray(edges["target"])

    one, other = ends("KNOWS")
    friends = np.concatenate([other[one == person], one[other == person]])
    messages, creators = ends("HAS_CREATOR")
    posts = np.intersect1d(messages[np.isin(creators, friends)], np.asarray(network.vertices["Post"]["id"]))
    tagged, tags = ends("HAS_TAG")
    found, times = np.unique(tags[np.isin(tagged, posts)], return_counts=True)
    names = dict(zip(*(network.vertices["Tag"][name].to_pylist() for name in ("id", "name")), strict=True))
    return str(names[found[np.argmax(times)]])


def _rows(table: pa.Table) -> list[tuple[Any, ...]]:
    """Rows to compare: numbers rounded, times as text."""
    return [tuple(map(_plain, row)) for row in zip(*(column.to_pylist() for column in table.columns), strict=True)]


def _plain(value: Any) -> Any:
    if isinstance(value, float) or (value is not None and type(value).__name__ == "Decimal"):
        return round(float(value), 4)
    return value if isinstance(value, (int, str)) or value is None else str(value).replace("T", " ")


def _at(text: str, written: str) -> str:
    return re.sub(r"@([0-9-]+)", written, text)


def rizoma(network: Social, threads: int) -> tuple[Ask, rz.Graph]:
    """A graph in memory, with labels and types as columns."""
    columns = {"type": "string", "since": "timestamp[s]", "amount": "float64", "year": "int32"}
    of_vertices = {"label": "string", "name": "string", "born": "date", "created": "timestamp[s]", "length": "int32"}
    graph = rz.open(None, directed=True, ids="integer", parallel_edges="keep", edges=columns, vertices=of_vertices)
    graph.add_vertices(network.all_vertices())
    graph.add_edges(network.all_edges())
    snapshot = graph.snapshot()

    def ask(asked: Asked) -> Any:
        text = _at(asked.text, r"datetime('\1T00:00:00')")
        return snapshot.query(text, _parameters(network, text), threads=threads).to_arrow()

    return ask, graph


def duckdb_(network: Social, threads: int) -> Ask:
    """A table for each label and type; friendships in both directions, messages of both kinds together."""
    import duckdb

    database = duckdb.connect(config={"threads": threads})
    for name, table in network.vertices.items():
        database.register("given", table)
        database.execute(f"create table {name.lower()} as from given; alter table {name.lower()} add primary key (id)")
    database.execute(
        "create table message as from post union all from comment; alter table message add primary key (id)"
    )
    for name, table in network.edges.items():
        database.register("given", table)
        if name == "KNOWS":
            both = "select source as a, target as b, since from given union all select target, source, since from given"
            database.execute(f"create table knows as {both}")
        else:
            database.execute(f"create table {name.lower()} as from given")

    def ask(asked: Asked) -> Any:
        sql = _at(asked.sql, r"timestamp '\1'")
        return database.sql(sql, params=_parameters(network, sql)).to_arrow_table()

    return ask


def ladybug_(network: Social, threads: int) -> Ask:
    """A table of nodes for each label, of relationships for each type, on disk."""
    import ladybug

    database = ladybug.Database(str(Path(mkdtemp(prefix="social-ladybug-")) / "graph"))
    connection = ladybug.Connection(database, num_threads=threads)
    kinds = {pa.int64(): "INT64", pa.int32(): "INT32", pa.string(): "STRING", pa.float64(): "DOUBLE"}
    kinds |= {pa.date32(): "DATE", pa.timestamp("s"): "TIMESTAMP"}

    def columns(table: pa.Table, but: int) -> list[str]:
        return [f"{each.name} {kinds[each.type]}" for each in list(table.schema)[but:]]

    for name, given in network.vertices.items():
        connection.execute(f"CREATE NODE TABLE {name}({', '.join(columns(given, 0))}, PRIMARY KEY(id))")
        connection.execute(f"COPY {name} FROM given")
    for name, table in network.edges.items():
        source, target, _ = EDGE_TYPES[name]
        ends = [(s, t) for s in _labels(source) for t in _labels(target)]
        pairs = ", ".join(f"FROM {s} TO {t}" for s, t in ends)
        connection.execute(f"CREATE REL TABLE {name}({', '.join([pairs, *columns(table, 2)])})")
        for s, t in ends:
            given = table.filter(_of_label(table["source"], network, s) & _of_label(table["target"], network, t))
            chosen = f"(from='{s}', to='{t}')" if len(ends) > 1 else ""
            connection.execute(f"COPY {name} FROM given {chosen}")

    def ask(asked: Asked) -> Any:
        text = _at(asked.ladybug or asked.text.replace("Post|Comment", "Post:Comment"), r"timestamp('\1')")
        return connection.execute(text, _parameters(network, text)).get_as_arrow()

    return ask


def _labels(label: str) -> tuple[str, ...]:
    return ("Post", "Comment") if label == "Message" else (label,)


def _of_label(ids: pa.ChunkedArray, network: Social, label: str) -> Any:
    known = network.vertices[label]["id"]
    values = np.asarray(ids)
    return (values >= known[0].as_py()) & (values <= known[-1].as_py())


def _processor_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def _timed(ask: Ask, asked: Asked) -> tuple[float, float, Any]:
    processor, clock = _processor_seconds(), time.perf_counter()
    found = ask(asked)
    return 1e3 * (_processor_seconds() - processor), 1e3 * (time.perf_counter() - clock), found


def measure(asked: Asked, systems: dict[str, Ask], rounds: int) -> None:
    """Ask each system in turn, and print a line."""
    taken: dict[str, list[tuple[float, float]]] = {name: [] for name in systems}
    answers: dict[str, Any] = {}
    failed: dict[str, str] = {}
    for _ in range(rounds):
        for name, ask in systems.items():
            if name in failed:
                continue
            try:
                processor, clock, answers[name] = _timed(ask, asked)
                taken[name].append((processor, clock))
            except Exception as error:
                failed[name] = " ".join(str(error).split())[:90]
    rows = {name: _rows(found) for name, found in answers.items()}
    line = f"{asked.name:42} {len(rows.get('rizoma', ())):6}"
    for name in systems:
        if name in failed:
            line += f"  {name} fails: {failed[name]}"
            continue
        first, middle = taken[name][0][1], np.median(np.array(taken[name]), axis=0)
        same = "" if rows[name] == rows.get("rizoma") else " DIFFERS"
        line += f"  {middle[0]:8.1f} {middle[1]:8.1f} ({first:6.1f}){same}"
    print(line, flush=True)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--persons", type=int, default=PERSONS)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", help="queries whose name has this in it")
    parser.add_argument("--peers", default="duckdb,ladybug")
    given = parser.parse_args()
    network = social_network(given.persons)
    print(f"{network.num_vertices:,} vertices, {network.num_edges:,} edges")
    systems = {"rizoma": rizoma(network, given.threads)[0]}
    makers = {"duckdb": duckdb_, "ladybug": ladybug_}
    systems |= {name: makers[name](network, given.threads) for name in given.peers.split(",") if name}
    print(f"{'':42} {'rows':>6}" + "".join(f"  {name}: processor ms, ms (first)" for name in systems))
    for asked in QUERIES:
        if not given.only or given.only in asked.name:
            measure(asked, systems, given.rounds)


if __name__ == "__main__":
    main()
