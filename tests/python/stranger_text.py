"""Cases of files of text: CSV, lists of edges, matrices, METIS, DIMACS, directories."""

from __future__ import annotations

import bz2
import gzip

from stranger_cases import AB, ABC, E12, D, case, files, text

# CSV
case("csv bom", text("e.csv", b"\xef\xbb\xbfsource,target\na,b\n"), AB)
case("csv crlf", text("e.csv", "source,target\r\na,b\r\n"), AB)
case("csv crlf without an end", text("e.csv", "source,target\r\na,b"), AB)
case("csv cr alone", text("e.csv", "source,target\ra,b\rc,d\r"), [("a", "b"), ("c", "d")], None)
case("csv cr alone, edges", text("e.txt", "1 2\r3 4\r"), [(1, 2), (3, 4)], None)
case("csv quoted newline", text("e.csv", 'source,target\n"a\nx",b\n'), [("a\nx", "b")], None)
case("csv quoted newline, multiline", text("e.csv", 'source,target\n"a\nx",b\n'), [("a\nx", "b")], multiline=True)
case("csv quoted delimiter", text("e.csv", 'source,target\n"a,x",b\n'), [("a,x", "b")])
case("csv doubled quotes", text("e.csv", 'source,target\n"a""x",b\n'), [('a"x', "b")])
case("csv open quote", text("e.csv", 'source,target\n"a,b\nc,d\n'), None)
case("csv quote inside", text("e.csv", 'source,target\na"x,b\n'), [('a"x', "b")], None)
case("csv single quotes", text("e.csv", "source,target\n'a','b'\n"), AB, quote="'")
case("csv semicolon", text("e.csv", "source;target;weight\na;b;1.5\n"), [("a", "b", 1.5)])
case(
    "csv semicolon, decimal comma",
    text("e.csv", "source;target;weight\na;b;1,5\n"),
    AB,
    None,
    warns="decimal|not read as the weight",
)
case(
    "csv semicolon, decimal comma said",
    text("e.csv", "source;target;weight\na;b;1,5\n"),
    [("a", "b", 1.5)],
    decimal=",",
)
case(
    "csv decimal comma, all whole but one",
    text("e.csv", "source;target;weight\na;b;1\na;c;2,5\n"),
    [("a", "b"), ("a", "c")],
    None,
    warns="not read as the weight",
)
case("csv decimal comma quoted", text("e.csv", 'source,target,weight\na,b,"1,5"\n'), AB, None, warns="weight")
case("csv thousands", text("e.csv", 'source,target,weight\na,b,"1,500"\n'), [("a", "b", 1500.0)], thousands=",")
case("csv thousands unsaid", text("e.csv", 'source,target,weight\na,b,"1,500"\n'), None, weights=True)
case("csv tabs", text("e.csv", "source\ttarget\na\tb\n"), AB)
case("csv pipe", text("e.csv", "source|target\na|b\n"), AB)
case("csv colon", text("e.csv", "source:target\na:b\n"), AB, None)
case("csv trailing delimiters", text("e.csv", "source,target,\na,b,\n"), AB, None)
case("csv trailing delimiters in rows", text("e.csv", "source,target\na,b,\n"), AB, None)
case("csv trailing delimiters, weights", text("e.csv", "source,target,weight,\na,b,2,\n"), [("a", "b", 2.0)], None)
case("csv header alone", text("e.csv", "source,target\n"), [])
case("csv header alone, weights", text("e.csv", "source,target,weight\n"), [])
case("csv empty", text("e.csv", ""), [])
case("csv bom alone", text("e.csv", b"\xef\xbb\xbf"), [])
case("csv blank lines", text("e.csv", "\nsource,target\n\na,b\n\n"), AB)
case("csv one source twice", text("e.csv", "source,target,source\na,b,c\n"), None)
case("csv weight twice", text("e.csv", "source,target,weight,weight\na,b,1,2\n"), None)
case("csv weight and w", text("e.csv", "source,target,weight,w\na,b,1,2\n"), None, [("a", "b", 1.0)], says="w")
case("csv kept column twice", text("e.csv", "source,target,x,x\na,b,1,2\n"), None, edges={"x": "int64"})
case("csv from and source", text("e.csv", "source,target,from,to\na,b,c,d\n"), AB, None, says="not read.*from")
case("csv 1.0 and 1", text("e.csv", "source,target\n1.0,2\n1,2.0\n"), E12, **D)
case(
    "csv 1.0 as text",
    text("e.csv", "source,target\n1.0,2\n1,2.0\n"),
    [("1", "2.0"), ("1.0", "2")],
    None,
    ids="string",
    warns="2.0",
    **D,
)
case(
    "csv 1.0 late",
    text("e.csv", "source,target\n" + "".join(f"{i},{i + 1}\n" for i in range(1, 3000)) + "1.0,2.0\n"),
    [(i, i + 1) for i in range(1, 3000)],
    None,
    **D,
)
case(
    "csv 1.5 late",
    text("e.csv", "source,target\n" + "".join(f"{i},{i + 1}\n" for i in range(1, 3000)) + "1.5,2\n"),
    None,
    **D,
)
case("csv great ids", text("e.csv", "source,target\n9007199254740993,9007199254740992\n"), [(2**53 + 1, 2**53)], **D)
case(
    "csv ids of uint64", text("e.csv", "source,target\n18446744073709551615,1\n"), [("18446744073709551615", "1")], None
)
case("csv negative ids", text("e.csv", "source,target\n-1,2\n"), [(-1, 2)], **D)
case("csv minus zero", text("e.csv", "source,target\n-0,1\n0,1\n"), [(0, 1)], None, **D)
case("csv plus", text("e.csv", "source,target\n+1,2\n1,2\n"), [(1, 2)], [("+1", "2"), ("1", "2")], None, **D)
case("csv mixed ids", text("e.csv", "source,target\n1,2\na,b\n"), [("1", "2"), ("a", "b")], None, **D)
case("csv text in one column", text("e.csv", "source,target\n1,a\n2,b\n"), [("1", "a"), ("2", "b")], None, **D)
case("csv leading zeros", text("e.csv", "source,target\n007,8\n"), [("007", "8")], None)
case(
    "csv leading zeros late",
    text("e.csv", "source,target\n" + "".join(f"{i},{i + 1}\n" for i in range(1, 3000)) + "007,8\n"),
    None,
    [("007", "8"), *((f"{i}", f"{i + 1}") for i in range(1, 3000))],
)
case(
    "csv signed weights",
    text("e.csv", "source,target,weight\na,b,-1.5\nb,c,+2.5\n"),
    [("a", "b", -1.5), ("b", "c", 2.5)],
    None,
)
case("csv infinite weight", text("e.csv", "source,target,weight\na,b,inf\n"), AB, None, warns="weight")
case("csv weight nan", text("e.csv", "source,target,weight\na,b,nan\n"), AB, None, warns="weight")
case("csv weight 1e3", text("e.csv", "source,target,weight\na,b,1e3\n"), [("a", "b", 1000.0)])
case(
    "csv weight .5 and 5.",
    text("e.csv", "source,target,weight\na,b,.5\nb,c,5.\n"),
    [("a", "b", 0.5), ("b", "c", 5.0)],
    None,
)
case(
    "csv weight beyond 2^53",
    text("e.csv", "source,target,weight\na,b,9007199254740993\n"),
    None,
    [("a", "b", 9007199254740992.0)],
    warns="2\\^53",
)
case("csv weight hex", text("e.csv", "source,target,weight\na,b,0x10\n"), None, warns="weight", weights=True)
case("csv weight 1_000", text("e.csv", "source,target,weight\na,b,1_000\n"), None, weights=True)
case("csv weight in percent", text("e.csv", "source,target,weight\na,b,50%\n"), AB, None, warns="weight")
case("csv weight with unit", text("e.csv", "source,target,weight\na,b,5\nb,c,5 km\n"), None, weights=True)
case("csv missing weight", text("e.csv", "source,target,weight\na,b,1\nb,c,\n"), None)
case("csv spaces", text("e.csv", "source, target\na, b\nb, a\n"), [("a", " b"), ("b", " a")], None, warns="blanks", **D)
case("csv spaces around numbers", text("e.csv", "source,target\n1, 2\n 2 ,3\n"), [(1, 2), (2, 3)], None, **D)
case("csv names of other case", text("e.csv", "Source,TARGET,Weight\na,b,2\n"), [("a", "b", 2.0)])
case("csv missing id", text("e.csv", "source,target\na,\n"), None)
case("csv quoted empty id", text("e.csv", 'source,target\na,""\n'), None)
case("csv blank id", text("e.csv", "source,target\na, \n"), [("a", " ")], None, warns="blanks")
case("csv null said", text("e.csv", "source,target\na,NA\na,b\n"), AB, null="NA", says="without an id")
case("csv null unsaid", text("e.csv", "source,target\na,NA\na,b\n"), [("a", "NA"), ("a", "b")], None, warns="NA")
case(
    "csv null late",
    text("e.csv", "source,target\n" + "".join(f"u{i},v{i}\n" for i in range(3000)) + "a,NULL\n"),
    [("a", "NULL"), *((f"u{i}", f"v{i}") for i in range(3000))],
    None,
    warns="NULL",
)
case("csv short row", text("e.csv", "source,target,x\na,b\n"), None)
case("csv short row, not read", text("e.csv", "source,target,x,y\na,b,1,2\nc,d\n"), None)
case("csv long row", text("e.csv", "source,target\na,b,c\n"), None)
case("csv header again", text("e.csv", "source,target\na,b\nsource,target\nc,d\n"), None)
case(
    "csv long row below a comment",
    text("e.csv", "# Directed graph\nsource,target,x\na,b,1\nc,d,y\n"),
    None,
    says="^(?!.*the first line 1)",
    edges={"x": "int64"},
)
case("csv header again, in capitals", text("e.csv", "source,target\na,b\nSource,TARGET\nc,d\n"), None)
case("csv header again behind a mark", text("e.csv", b"source,target\na,b\n\xef\xbb\xbfsource,target\nc,d\n"), None)
case("csv sep line", text("e.csv", "sep=;\nsource;target\na;b\n"), AB, None)
case("csv no header, three", text("e.csv", "1,2,3\n4,5,6\n"), None)
case("csv no header, two", text("e.csv", "1,2\n3,4\n"), [(1, 2), (3, 4)])
case("csv no header, text", text("e.csv", "a,b\nc,d\n"), None)
case("csv no header said", text("e.csv", "a,b\nc,d\n"), [("a", "b"), ("c", "d")], header=False)
case("csv numeric header", text("e.csv", "0,1\n5,6\n"), [(0, 1), (5, 6)], None, **D)
case("csv pandas index", text("e.csv", ",source,target\n0,a,b\n"), AB)
case("csv pandas index, weight", text("e.csv", ",source,target,weight\n0,a,b,2\n"), [("a", "b", 2.0)])
case("csv r row names", text("e.csv", '"","source","target"\n"1","a","b"\n'), AB)
case("csv r header without row names", text("e.csv", '"source","target"\n"1","a","b"\n'), None)
case("csv utf-16", text("e.csv", "source,target\na,b\n".encode("utf-16")), AB)
case("csv utf-16 without a mark", text("e.csv", "source,target\na,b\n".encode("utf-16-le")), None)
case("csv latin-1 unsaid", text("e.csv", "source,target\né,b\n".encode("latin-1")), None)
case("csv latin-1", text("e.csv", "source,target\né,b\n".encode("latin-1")), [("é", "b")], encoding="latin-1")
case("csv cp1252", text("e.csv", "source,target\n€,b\n".encode("cp1252")), [("€", "b")], encoding="cp1252")
case("csv nul", text("e.csv", b"source,target\na\0x,b\n"), [("a\0x", "b")], None)
case("csv digits of other scripts", text("e.csv", "source,target\n١,２\n"), [("١", "２")])
case("csv gz", text("e.csv.gz", gzip.compress(b"source,target\na,b\n")), AB)
case("csv gz called csv", text("e.csv", gzip.compress(b"source,target\na,b\n")), AB, None)
case("csv called gz", text("e.csv.gz", b"source,target\na,b\n"), AB, None)
case("csv gz cut", text("e.csv.gz", gzip.compress(b"source,target\na,b\n" * 50)[:-9]), None)
case("csv gz and rubbish", text("e.csv.gz", gzip.compress(b"source,target\na,b\n") + b"xxxx"), None)
case("csv bz2", text("e.csv.bz2", bz2.compress(b"source,target\na,b\n")), None, says="bz2|another kind")
case("csv bz2 called csv", text("e.csv", bz2.compress(b"source,target\na,b\n")), None)
case("csv zip called csv", text("e.csv", b"PK\x03\x04\x14\0\0\0"), None)
case("csv called parquet", text("e.parquet", "source,target\na,b\n"), None)
case("csv called tsv", text("e.tsv", "source,target\na,b\n"), AB, None)
case("tsv called csv", text("e.csv", "source\ttarget\tweight\na\tb\t2\n"), [("a", "b", 2.0)])
case("csv weight of dates", text("e.csv", "source,target,weight\na,b,2024-01-01\n"), AB, None, warns="weight")
case("csv number with text ids", text("e.csv", "source,target,time\na,b,5\n"), AB, says="time")
case("csv kept with a fraction", text("e.csv", "source,target,x\na,b,1.5\n"), None, edges={"x": "int64"})
case("csv kept beyond its type", text("e.csv", "source,target,x\na,b,300\n"), None, edges={"x": "int8"})
case("csv kept missing", text("e.csv", "source,target,x\na,b,\n"), [("a", "b", None)], edges={"x": "int64"})
case(
    "csv kept great",
    text("e.csv", "source,target,x\na,b,9007199254740993\n"),
    [("a", "b", 2**53 + 1)],
    edges={"x": "int64"},
)
case(
    "csv kept great, inferred",
    text("e.csv", "source,target,x\na,b,9007199254740993\n"),
    [("a", "b", 2**53 + 1)],
    edges="infer",
)
case("csv kept bool", text("e.csv", "source,target,x\na,b,yes\n"), [("a", "b", True)], None, edges={"x": "bool"})
case("csv kept date", text("e.csv", "source,target,x\na,b,01/02/2024\n"), None, edges={"x": "date"})
case(
    "csv kept zone",
    text("e.csv", "source,target,x\na,b,2024-01-01T00:00:00+02:00\n"),
    [("a", "b", "2023-12-31 22:00:00")],
    None,
    edges={"x": "timestamp[s]"},
)
case("csv edges of vertices", text("e.csv", "id,label,x\n1,a,2\n2,b,3\n"), None)
case("csv type that is no direction", text("e.csv", "source,target,Type\na,b,friend\n"), AB, says="Type")
case(
    "csv type that some lack", text("e.csv", "source,target,Type\na,b,Directed\nb,c,\n"), ABC, warns="'Type'.*direction"
)
case("csv type mutual", text("e.csv", "source,target,Type\na,b,Directed\nb,c,Mutual\n"), ABC, warns="'Mutual'")
case("csv directed yes", text("e.csv", "source,target,directed\na,b,yes\nb,c,no\n"), ABC, warns="such as 'yes'")
case("csv directed to films", text("e.csv", "source,target,role\na,b,directed\nb,c,acted\n"), ABC, warns="^$")
case("csv no weight at all", text("e.csv", "source,target,weight\na,b,\n"), AB, warns="no value there")
case("csv no weight, not wanted", text("e.csv", "source,target,weight\na,b,\n"), AB, warns="^$", weights=False)
case(
    "csv directional mark",
    text("e.csv", "source,target\n\u202aa,b\na,c\n"),
    [("\u202aa", "b"), ("a", "c")],
    warns="blanks",
)
case("csv directed late", text("e.csv", "source,target,Type\n" + "a,b,Directed\n" * 3000 + "b,c,odd\n"), None)

# edge lists
case("list blanks and tabs", text("e.txt", "1\t2\n2  3\n"), [(1, 2), (2, 3)])
case("list comment behind", text("e.txt", "1 2 # so\n"), E12)
case("list three words", text("e.txt", "a b c\nd e f\n"), None)
case(
    "list of counts and edges",
    text("e.txt", "# of friends\n5 4\n1 2\n2 3\n3 4\n4 5\n"),
    [(5, 4), (1, 2), (2, 3), (3, 4)],
    warns="how many vertices",
)
case(
    "list, the first line counts nothing",
    text("e.txt", "5 4\n1 2\n2 3\n3 6\n4 1\n"),
    [(5, 4), (1, 2), (2, 3), (3, 6), (4, 1)],
    warns="^$",
    **D,
)
case("list one word", text("e.txt", "1\n2\n"), None)
case("list crlf", text("e.txt", "1 2\r\n2 3\r\n"), [(1, 2), (2, 3)])
case("list bom", text("e.txt", b"\xef\xbb\xbf1 2\n"), E12)
case("list bom and comment", text("e.txt", b"\xef\xbb\xbf# Directed graph\n2 1\n"), [(2, 1)])
case("list utf-16", text("e.txt", "1 2\n".encode("utf-16")), E12, None)
case("list snap", text("e.txt", "# Directed graph (each unordered pair ...)\n# FromNodeId\tToNodeId\n2\t1\n"), [(2, 1)])
case("list third number", text("e.txt", "1 2 0.5\n"), E12, says="third|not read|column")
case("list weights", text("e.txt", "1 2 0.5\n"), [(1, 2, 0.5)], weights=True)
case("list weights, decimal comma", text("e.txt", "1 2 0,5\n"), None, weights=True)
case(
    "list weights beyond 2^53",
    text("e.txt", "1 2 9007199254740993\n"),
    None,
    [(1, 2, 2.0**53)],
    weights=True,
    warns="2\\^53",
)
case("list wel", text("e.wel", "1 2 0.5\n"), [(1, 2, 0.5)])
case("list four", text("e.txt", "1 2 0.5 7\n"), [(1, 2, 0.5)], None, says="column", weights=True)
case("list commas", text("e.txt", "1,2\n2,3\n"), [(1, 2), (2, 3)], None)
case("list rows that differ", text("e.txt", "1 2\n1 2 3\n"), None)
case("list neighbours", text("e.txt", "0 1 2 3\n1 0\n2 0 3\n3 0 2\n"), None)
case("list blanks at the end", text("e.txt", "1 2 \n2 3\t\n"), [(1, 2), (2, 3)])
case("list percent", text("e.txt", "% so\n1 2\n"), E12)
case("list slashes", text("e.txt", "// so it is\n1 2\n"), None)
case("list semicolons", text("e.txt", "1;2\n2;3\n"), [(1, 2), (2, 3)], None)
case("list arrows", text("e.txt", "1 -> 2\n2 -> 3\n"), [("1", "->"), ("2", "->")], None, warns="between the two ends")
case("list equals", text("e.txt", "a = 1\nb = 2\n"), [("a", "="), ("b", "=")], None, warns="between the two ends")
case("list in quotes", text("e.txt", '"a" "b"\n"b" "c"\n'), [('"a"', '"b"'), ('"b"', '"c"')], None, warns="quotes")
case("list header again, in capitals", text("e.txt", "source target\na b\nSOURCE TARGET\n"), None)
case("list 1e5", text("e.txt", "1e5 2\n"), [("1e5", "2")], None)
case("list 1.0", text("e.txt", "1.0 2.0\n1 2\n"), E12, None, **D)
case("list named ids with digits", text("e.txt", "n1 n2\n"), [("n1", "n2")], None)
case("list header", text("e.txt", "source target\n1 2\n"), E12)
case("list zeros", text("e.txt", "01 02\n1 2\n"), [("01", "02"), ("1", "2")], None, **D)
case("list overflow", text("e.txt", "99999999999999999999 1\n"), [("99999999999999999999", "1")], None)
case("list json", text("e.txt", '{"a": 1}\n'), None)
case("list nothing but comments", text("e.txt", "# one\n# two\n"), [])
case("list nbsp", text("e.txt", "1\u00a02\n"), None)
case("list without an end", text("e.txt", "1 2\n2 3"), [(1, 2), (2, 3)])

# Matrix Market
MTX = "%%MatrixMarket matrix coordinate {}\n{}"
case("mtx pattern", text("e.mtx", MTX.format("pattern general", "3 3 2\n1 2\n3 1\n")), [(0, 1), (2, 0)])
case("mtx symmetric", text("e.mtx", MTX.format("real symmetric", "3 3 2\n2 1 5\n3 3 1\n")), [(0, 1, 5.0), (2, 2, 1.0)])
case(
    "mtx symmetric as directed",
    text("e.mtx", MTX.format("real symmetric", "2 2 1\n2 1 5\n")),
    [(0, 1, 5.0), (1, 0, 5.0)],
    **D,
)
case("mtx symmetric, upper", text("e.mtx", MTX.format("real symmetric", "3 3 1\n1 2 5\n")), [(0, 1, 5.0)], None)
case(
    "mtx symmetric, both",
    text("e.mtx", MTX.format("real symmetric", "3 3 2\n1 2 5\n2 1 6\n")),
    [(0, 1, 6.0)],
    None,
    warns="no new edge",
)
case("mtx skew", text("e.mtx", MTX.format("real skew-symmetric", "3 3 1\n2 1 3\n")), [(0, 1, -3.0), (1, 0, 3.0)])
case("mtx skew, diagonal", text("e.mtx", MTX.format("real skew-symmetric", "3 3 1\n2 2 3\n")), None, says="diagonal")
case("mtx complex", text("e.mtx", MTX.format("complex general", "3 3 1\n2 1 3 4\n")), None)
case("mtx hermitian", text("e.mtx", MTX.format("complex hermitian", "3 3 1\n2 1 3 4\n")), None)
case(
    "mtx array",
    text("e.mtx", "%%MatrixMarket matrix array real general\n2 2\n0\n1\n2\n0\n"),
    [(0, 1, 2.0), (1, 0, 1.0)],
    None,
)
case("mtx vector", text("e.mtx", "%%MatrixMarket vector coordinate real general\n3 1\n1 5\n"), None)
case("mtx not square", text("e.mtx", MTX.format("real general", "2 3 1\n1 3 5\n")), None)
case("mtx fewer", text("e.mtx", MTX.format("real general", "3 3 2\n1 3 5\n")), None)
case("mtx more", text("e.mtx", MTX.format("real general", "3 3 1\n1 3 5\n1 2 3\n")), None)
case(
    "mtx twice",
    text("e.mtx", MTX.format("real general", "3 3 2\n1 2 3\n1 2 4\n")),
    [(0, 1, 4.0)],
    None,
    warns="no new edge",
)
case("mtx from zero", text("e.mtx", MTX.format("real general", "3 3 1\n0 2 3\n")), None)
case("mtx beyond", text("e.mtx", MTX.format("real general", "3 3 1\n1 4 3\n")), None)
case("mtx other case", text("e.mtx", "%%MatrixMarket MATRIX Coordinate REAL General\n2 2 1\n1 2 3\n"), [(0, 1, 3.0)])
case("mtx zero", text("e.mtx", MTX.format("real general", "3 3 2\n1 2 0\n2 3 1\n")), [(0, 1, 0.0), (1, 2, 1.0)])
case("mtx missing value", text("e.mtx", MTX.format("real general", "3 3 1\n1 2\n")), None)
case("mtx value of a pattern", text("e.mtx", MTX.format("pattern general", "3 3 1\n1 2 5\n")), None)
case(
    "mtx great",
    text("e.mtx", MTX.format("integer general", "3 3 1\n1 2 9007199254740993\n")),
    None,
    [(0, 1, 2.0**53)],
    warns="2\\^53",
)
case("mtx comments and blanks", text("e.mtx", MTX.format("real general", "% so\n\n3 3 1\n\n1 2 3\n")), [(0, 1, 3.0)])
case("mtx gz", text("e.mtx.gz", gzip.compress(MTX.format("pattern general", "2 2 1\n1 2\n").encode())), [(0, 1)])
case("mtx no banner", text("e.mtx", "3 3 1\n1 2 3\n"), None)

# METIS
case("metis", text("e.graph", "3 2\n2\n1 3\n2\n"), [(0, 1), (1, 2)])
case("metis edge weights", text("e.graph", "3 2 001\n2 5\n1 5 3 7\n2 7\n"), [(0, 1, 5.0), (1, 2, 7.0)])
case("metis edge weights, 1", text("e.graph", "3 2 1\n2 5\n1 5 3 7\n2 7\n"), [(0, 1, 5.0), (1, 2, 7.0)])
case(
    "metis both weights",
    text("e.graph", "3 2 011\n9 2 5\n9 1 5 3 7\n9 2 7\n"),
    [(0, 1, 5.0), (1, 2, 7.0)],
    None,
    says="vert",
)
case("metis vertex weights", text("e.graph", "3 2 010\n9 2\n9 1 3\n9 2\n"), [(0, 1), (1, 2)], None, says="vert")
case(
    "metis two vertex weights",
    text("e.graph", "3 2 010 2\n9 8 2\n9 8 1 3\n9 8 2\n"),
    [(0, 1), (1, 2)],
    None,
    says="vert",
)
case("metis sizes", text("e.graph", "3 2 100\n4 2\n4 1 3\n4 2\n"), [(0, 1), (1, 2)], None)
case("metis isolated", text("e.graph", "3 1\n2\n1\n\n"), [(0, 1)])
case("metis comment", text("e.graph", "% so\n3 2\n2\n% so\n1 3\n2\n"), [(0, 1), (1, 2)])
case("metis fewer lines", text("e.graph", "3 2\n2\n1 3\n"), None)
case("metis one-sided", text("e.graph", "3 2\n2\n3\n2\n"), None)
case("metis weights that differ", text("e.graph", "2 1 1\n2 5\n1 6\n"), None)
case("metis beyond", text("e.graph", "2 1\n3\n1\n"), None)
case("metis wrong count", text("e.graph", "3 5\n2\n1 3\n2\n"), None)
case("metis loop", text("e.graph", "2 1\n1 2\n1\n"), None, [(0, 0), (0, 1)])

# DIMACS
case(
    "dimacs sp",
    text("e.gr", "c so\np sp 3 2\na 1 2 5\na 2 3 -1\n"),
    [(1, 2, 5.0), (2, 3, -1.0)],
    [(0, 1, 5.0), (1, 2, -1.0)],
)
case("dimacs edge", text("e.col", "p edge 3 2\ne 1 2\ne 2 3\n"), [(1, 2), (2, 3)], [(0, 1), (1, 2)])
case("dimacs col", text("e.col", "p col 3 2\ne 1 2\ne 2 3\n"), [(1, 2), (2, 3)], [(0, 1), (1, 2)])
case(
    "dimacs vertices",
    text("e.col", "p edge 3 2\nn 1 5\ne 1 2\ne 2 3\n"),
    [(1, 2), (2, 3)],
    [(0, 1), (1, 2)],
    None,
    says="n ",
)
case("dimacs max", text("e.max", "p max 4 2\nn 1 s\nn 4 t\na 1 2 4\na 2 4 3\n"), None)
case("dimacs max called gr", text("e.gr", "p max 4 2\nn 1 s\nn 4 t\na 1 2 4\na 2 4 3\n"), None)
case("dimacs min", text("e.gr", "p min 2 1\na 1 2 0 4 2\n"), None)
case("dimacs fewer", text("e.gr", "p sp 3 2\na 1 2 5\n"), None)
case("dimacs no weight", text("e.gr", "p sp 3 1\na 1 2\n"), None)
case("dimacs no problem", text("e.gr", "a 1 2 3\n"), None)
case("dimacs both", text("e.col", "p edge 3 2\ne 1 2\ne 2 1\n"), [(1, 2)], [(0, 1)], None)

# directories
case("directory of csv", files(a__csv="source,target\na,b\n", b__csv="source,target\nb,c\n"), ABC)
case(
    "directory, columns in another order",
    files(a__csv="source,target\na,b\n", b__csv="target,source\nc,b\n"),
    ABC,
    None,
)
case("directory, second without header", files(a__csv="source,target\na,b\n", b__csv="b,c\n"), ABC, None)
case("directory, other delimiter", files(a__csv="source,target\na,b\n", b__csv="source;target\nb;c\n"), ABC, None)
case("directory, one empty", files(a__csv="source,target\na,b\n", b__csv=""), AB)
case(
    "directory, ids of two kinds",
    files(a__csv="source,target\n1,2\n", b__csv="source,target\na,b\n"),
    None,
    [("1", "2"), ("a", "b")],
)
case(
    "directory, direction of two kinds",
    files(a__txt="# Directed graph\n1 2\n", b__txt="# Undirected graph\n3 2\n"),
    None,
    [(1, 2), (2, 3), (3, 2)],
)
case("directory of two formats", files(a__csv="source,target\n1,2\n", b__txt="2 3\n"), [(1, 2), (2, 3)], None)
case("directory, weights in one", files(a__csv="source,target,weight\na,b,2\n", b__csv="source,target\nb,c\n"), None)
case("directory, empty", files(), None)
case("directory with a readme", files(a__csv="source,target\na,b\n", README__md="# the data\n"), None, AB)
