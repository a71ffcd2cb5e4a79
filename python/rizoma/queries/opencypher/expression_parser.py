"""Reads expressions and patterns of a query."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from ...core.errors import ParseError
from . import syntax as s
from .tokens import Source, Token, tokens_of

__all__ = ["ExpressionParser"]

_COMPARISONS = {"=": "=", "==": "=", "<>": "<>", "!=": "<>", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
_RESERVED = frozenset(
    {
        *(
            "AND",
            "AS",
            "ASC",
            "ASCENDING",
            "BY",
            "CASE",
            "CONTAINS",
            "DESC",
            "DESCENDING",
            "DISTINCT",
            "ELSE",
            "END",
            "ENDS",
        ),
        *("FALSE", "IN", "IS", "LIMIT", "MATCH", "NOT", "NULL", "OPTIONAL", "OR", "ORDER", "RETURN", "SKIP", "STARTS"),
        *("THEN", "TRUE", "UNION", "UNWIND", "WHEN", "WHERE", "WITH", "XOR"),
    }
)
_QUANTIFIERS = ("ALL", "ANY", "NONE", "SINGLE")
_MOST_BRACKETS = 42  # Python's stack holds them beside some hundred calls of a program
_BEYOND = 2**63


class ExpressionParser:
    """A recursive descent over tokens; `at` is the number of the next."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.tokens = tokens_of(source)
        self.at = 0
        self.depth = 0

    # ---- tokens ----

    @property
    def next(self) -> Token:
        """The next token."""
        return self.tokens[self.at]

    def word(self, *words: str) -> bool:
        """Whether these words come next; they are read if they do."""
        some = self.tokens[self.at : self.at + len(words)]
        if all(t.kind == "word" and t.text.upper() == w for t, w in zip(some, words, strict=False)) and len(
            some
        ) == len(words):
            self.at += len(words)
            return True
        return False

    def peek_word(self, *words: str) -> bool:
        """Whether one of these words comes next."""
        return self.next.kind == "word" and self.next.text.upper() in words

    def sign(self, sign: str) -> bool:
        """Whether this sign comes next; it is read if it does."""
        if self.next.kind == "sign" and self.next.text == sign:
            self.at += 1
            return True
        return False

    def peek_sign(self, *signs: str, ahead: int = 0) -> bool:
        """Whether one of these signs comes next, or some tokens ahead."""
        token = self.tokens[min(self.at + ahead, len(self.tokens) - 1)]
        return token.kind == "sign" and token.text in signs

    def expect(self, sign: str, where: str) -> None:
        """Read a sign that must come."""
        if not self.sign(sign):
            self.wrong(f'expected "{sign}" {where}, not {self.shown()}{self._meant_by(where)}')

    def _meant_by(self, where: str) -> str:
        """What to do about what stands where a sign must come."""
        if where == "to begin a vertex":
            return "; vertices stand in brackets, as in (a)-->(b)"
        if where == "after the edge" and self.peek_sign(">"):
            return "; write -->"
        if where == "after the edge" and self.peek_sign("("):
            return "; write -- for either direction, --> or <-- for one"
        if where == "to end the edge" and self.next.kind == "number":
            return f"; a walk of {self.next.text} edges is written *{self.next.text}"
        if where == "to close the bracket" and self.peek_sign(","):
            return "; a list stands in square brackets, as in a.name IN ['Ann', 'Bob']"
        if self.peek_word("WHERE") or where == "after the name of a column":
            return "; predicates stand behind the pattern: MATCH (a) WHERE a.age > 3"
        if where == "to end the vertex" and self.next.kind == "number":
            return "; write (a), and WHERE a.id = 1 behind the pattern"
        return ""

    def expect_word(self, word: str, where: str) -> None:
        """Read a word that must come."""
        if not self.word(word):
            self.wrong(f"expected {word} {where}, not {self.shown()}")

    def shown(self) -> str:
        """The next token for a message."""
        if self.next.kind == "end":
            return "the end"
        return f'"{self.source.text[self.next.place : self.next.end]}"'

    def wrong(self, message: str, place: int | None = None) -> NoReturn:
        """Raise an error at a place, the next token's if none is given."""
        raise self.source.error(self.next.place if place is None else place, message)

    def name(self, where: str) -> str:
        """Read a name."""
        token = self.next
        if token.kind == "quoted" or (token.kind == "word" and token.text.upper() not in _RESERVED):
            self.at += 1
            return token.text
        hint = "; write it in backquotes" if token.kind == "word" else ""
        self.wrong(f"expected a name {where}, not {self.shown()}{hint}")

    def any_name(self, where: str) -> str:
        """Read the name of a column, a label or a type: any word."""
        if self.next.kind in ("word", "quoted"):
            self.at += 1
            return self.tokens[self.at - 1].text
        self.wrong(f"expected a name {where}, not {self.shown()}")

    # ---- expressions, from the loosest operator to the tightest ----

    def expression(self) -> s.Expression:
        """Read an expression."""
        self.depth += 1
        if self.depth > _MOST_BRACKETS:
            self.wrong(f"more than {_MOST_BRACKETS} brackets within each other; divide the query by WITH")
        found = self._in_halves("OR", self._xor)
        self.depth -= 1
        return found

    def _left_to_right(self, signs: tuple[str, ...], inner: Callable[[], s.Expression]) -> s.Expression:
        left = inner()
        while self.peek_sign(*signs):
            token = self.next
            self.at += 1
            left = s.Binary(token.place, token.text, left, inner())
        return left

    def _in_halves(self, word: str, inner: Callable[[], s.Expression]) -> s.Expression:
        """Operands of a word that joins them in any order, so that hundreds are no deep tree."""
        operands, places = [inner()], []
        while self.peek_word(word):
            places.append(self.next.place)
            self.at += 1
            operands.append(inner())

        def joined(begin: int, end: int) -> s.Expression:
            if end - begin == 1:
                return operands[begin]
            middle = (begin + end) // 2
            return s.Binary(places[middle - 1], word, joined(begin, middle), joined(middle, end))

        return joined(0, len(operands))

    def _xor(self) -> s.Expression:
        return self._in_halves("XOR", self._and)

    def _and(self) -> s.Expression:
        return self._in_halves("AND", self._not)

    def _not(self) -> s.Expression:
        place, negations = self.next.place, 0
        while self.word("NOT"):
            negations += 1
        found = self._comparison()
        for _ in range(negations):
            found = s.Unary(place, "NOT", found)
        return found

    def _comparison(self) -> s.Expression:
        left, found = self._predicate(), None
        while self.next.kind == "sign" and self.next.text in _COMPARISONS:
            token = self.next
            self.at += 1
            right = self._predicate()
            one = s.Binary(token.place, _COMPARISONS[token.text], left, right)
            found = one if found is None else s.Binary(token.place, "AND", found, one)
            left = right
        return left if found is None else found

    def _predicate(self) -> s.Expression:
        left = self._sum()
        while True:
            place = self.next.place
            if self.word("IN"):
                left = s.Binary(place, "IN", left, self._sum())
            elif self.word("STARTS", "WITH"):
                left = s.Binary(place, "STARTS WITH", left, self._sum())
            elif self.word("ENDS", "WITH"):
                left = s.Binary(place, "ENDS WITH", left, self._sum())
            elif self.word("CONTAINS"):
                left = s.Binary(place, "CONTAINS", left, self._sum())
            elif self.sign("=~"):
                left = s.Binary(place, "=~", left, self._sum())
            elif self.word("IS", "NOT", "NULL"):
                left = s.IsNull(place, left, True)
            elif self.word("IS", "NULL"):
                left = s.IsNull(place, left, False)
            else:
                return left

    def _sum(self) -> s.Expression:
        return self._left_to_right(("+", "-"), self._product)

    def _product(self) -> s.Expression:
        return self._left_to_right(("*", "/", "%"), self._power)

    def _power(self) -> s.Expression:
        return self._left_to_right(("^",), self._signed)

    def _signed(self) -> s.Expression:
        place = self.next.place
        if self.sign("-"):
            inner = self._signed() if self.peek_sign("-", "+") else self._postfix(negative=True)
            if isinstance(inner, s.Literal) and isinstance(inner.value, (int, float)):
                return s.Literal(place, -inner.value)
            return s.Unary(place, "-", inner)
        if self.sign("+"):
            return s.Unary(place, "+", self._signed())
        return self._postfix()

    def _postfix(self, negative: bool = False) -> s.Expression:
        found = self._atom(negative)
        while True:
            place = self.next.place
            if self.sign("."):
                found = s.Property(place + 1, found, self.any_name("of a column"))
            elif self.peek_sign("["):
                found = self._index(found)
            elif self.peek_sign(":") and isinstance(found, (s.Variable, s.Property)):
                found = s.HasLabels(place, found, self.labels())
            else:
                return found

    def _index(self, of: s.Expression) -> s.Expression:
        place = self.next.place
        self.expect("[", "before an index")
        begin = None if self.peek_sign("..") else self.expression()
        if self.sign(".."):
            end = None if self.peek_sign("]") else self.expression()
            self.expect("]", "after a slice")
            return s.Slice(place, of, begin, end)
        self.expect("]", "after an index")
        assert begin is not None
        return s.Index(place, of, begin)

    # ---- atoms ----

    def _atom(self, negative: bool) -> s.Expression:
        token = self.next
        if token.kind == "number":
            return self._number(negative)
        if token.kind == "text":
            self.at += 1
            return s.Literal(token.place, token.text)
        if self.sign("$"):
            if self.next.kind in ("word", "quoted", "number"):
                self.at += 1
                return s.Parameter(token.place, self.tokens[self.at - 1].text)
            self.wrong('expected the name of a parameter after "$"')
        if self.peek_sign("("):
            pattern = self._pattern_predicate()
            if pattern is not None:
                return pattern
            self.at += 1
            found = self.expression()
            self.expect(")", "to close the bracket")
            return found
        if self.peek_sign("["):
            return self._list()
        if self.peek_sign("{"):
            return s.MapOf(token.place, self.properties())
        return self._word()

    def _number(self, negative: bool) -> s.Expression:
        token = self.next
        self.at += 1
        if self.next.kind == "word" and self.next.place == token.end:
            self.wrong(f"{token.text}{self.next.text} is not a number", token.place)
        text = token.text.lower()
        if text.startswith(("0x", "0o")) or text.isdigit():
            value = int(text, 16 if text.startswith("0x") else 8 if text.startswith("0o") else 10)
            if value >= _BEYOND + negative:
                self.wrong("the number does not fit 64 bits; write it with a decimal point", token.place)
            return s.Literal(token.place, value)
        number = float(text)
        if number == float("inf"):
            self.wrong("the number does not fit a float64", token.place)
        return s.Literal(token.place, number)

    def _word(self) -> s.Expression:
        token = self.next
        if token.kind == "word":
            upper = token.text.upper()
            constants = {"TRUE": True, "FALSE": False, "NULL": None}
            if upper in constants:
                self.at += 1
                return s.Literal(token.place, constants[upper])
            if upper == "CASE":
                return self._case()
            if upper in ("EXISTS", "COUNT") and self.peek_sign("{", ahead=1):
                return self._subquery(upper.lower())
            if upper in _QUANTIFIERS and self.peek_sign("(", ahead=1):
                quantified = self._quantifier()
                if quantified is not None:
                    return quantified
            if upper in ("SHORTESTPATH", "ALLSHORTESTPATHS") and self.peek_sign("(", ahead=1):
                self.wrong("a shortest path is matched, as in MATCH p = shortestPath((a)-[*]->(b)); use p then")
            if self.peek_sign("(", ahead=1) or (self.peek_sign(".", ahead=1) and self.peek_sign("(", ahead=3)):
                return self._call()
        if token.kind in ("word", "quoted"):
            return s.Variable(token.place, self.name("or a value"))
        self.wrong(f"expected a value, not {self.shown()}")

    def _call(self) -> s.Expression:
        token = self.next
        name = self.any_name("of a function")
        if self.sign("."):
            name += "." + self.any_name("of a function")
        self.expect("(", "after the name of a function")
        lower = name.lower()
        if lower == "exists" and (pattern := self._pattern_predicate()) is not None:
            self.expect(")", "after the pattern")
            return pattern
        if lower == "count" and self.sign("*"):
            self.expect(")", "after count(*")
            return s.Call(token.place, "count", (), False, True)
        distinct = self.word("DISTINCT")
        arguments: list[s.Expression] = []
        while not self.peek_sign(")"):
            arguments.append(self.expression())
            if not self.sign(","):
                break
        self.expect(")", f"after the arguments of {name}")
        return s.Call(token.place, lower, tuple(arguments), distinct)

    def _case(self) -> s.Expression:
        place = self.next.place
        self.at += 1
        subject = None if self.peek_word("WHEN") else self.expression()
        whens = []
        while self.word("WHEN"):
            when = self.expression()
            self.expect_word("THEN", "after WHEN and its value")
            whens.append((when, self.expression()))
        if not whens:
            self.wrong(f"expected WHEN after CASE, not {self.shown()}")
        default = self.expression() if self.word("ELSE") else None
        self.expect_word("END", "to end CASE")
        return s.Case(place, subject, tuple(whens), default)

    def _quantifier(self) -> s.Expression | None:
        """all(x IN xs WHERE p); None: `all` is a function or a name."""
        begin, token = self.at, self.next
        self.at += 2
        if self.next.kind not in ("word", "quoted"):
            self.at = begin
            return None
        name = self.any_name("of an element")
        if not self.word("IN"):
            self.at = begin
            return None
        source = self.expression()
        self.expect_word("WHERE", f"in {token.text}(x IN list WHERE ..)")
        where = self.expression()
        self.expect(")", f"after {token.text}(..")
        return s.Quantifier(token.place, token.text.lower(), name, source, where)

    def _list(self) -> s.Expression:
        place = self.next.place
        self.expect("[", "before a list")
        if self.next.kind in ("word", "quoted") and self._is_in(1):
            return self._comprehension(place)
        pattern = self._pattern_predicate() if self.peek_sign("(") else None
        if pattern is not None and self.peek_word("WHERE") | self.peek_sign("|"):
            assert isinstance(pattern, s.PatternValue)
            where = self.expression() if self.word("WHERE") else None
            self.expect("|", "before what the list has for each match")
            result = self.expression()
            self.expect("]", "after the list")
            return s.PatternValue(place, "collect", pattern.paths, where, result)
        items = [] if pattern is None else [pattern]
        while not self.peek_sign("]") and (not items or self.sign(",")):
            items.append(self.expression())
        self.expect("]", "after the list")
        return s.ListOf(place, tuple(items))

    def _is_in(self, ahead: int) -> bool:
        token = self.tokens[min(self.at + ahead, len(self.tokens) - 1)]
        return token.kind == "word" and token.text.upper() == "IN"

    def _comprehension(self, place: int) -> s.Expression:
        name = self.any_name("of an element")
        self.at += 1  # IN
        source = self.expression()
        if not (self.peek_word("WHERE") or self.peek_sign("|", "]")):
            self.wrong(f"expected WHERE, | or ] after [x IN list, not {self.shown()}")
        where = self.expression() if self.word("WHERE") else None
        result = self.expression() if self.sign("|") else None
        self.expect("]", "after the list")
        return s.Comprehension(place, name, source, where, result)

    def _subquery(self, kind: str) -> s.Expression:
        place = self.next.place
        self.at += 2
        self.word("MATCH")
        paths = self.paths()
        where = self.expression() if self.word("WHERE") else None
        if not self.peek_sign("}"):
            self.wrong(f"{kind.upper()} takes a pattern and a WHERE, and no other clauses; move them before it")
        self.at += 1
        return s.PatternValue(place, kind, paths, where)

    # ---- patterns ----

    def _pattern_predicate(self) -> s.Expression | None:
        """A path of an edge or more as a truth value; None (and nothing is read): there is none."""
        begin, depth = self.at, self.depth
        if not self.peek_sign("("):
            return None
        try:
            path = self.path()
        except ParseError:
            self.at, self.depth = begin, depth
            return None
        if not path.edges:
            self.at = begin
            return None
        return s.PatternValue(path.place, "exists", (path,), None)

    def paths(self) -> tuple[s.PathPattern, ...]:
        """Read paths with commas between them."""
        found = [self.path()]
        while self.sign(","):
            found.append(self.path())
        return tuple(found)

    def path(self) -> s.PathPattern:
        """Read one path, with its name if it has one."""
        place, name, shortest = self.next.place, None, None
        if self.next.kind in ("word", "quoted") and self.peek_sign("=", ahead=1):
            name = self.name("of a path")
            self.at += 1
        words = {"SHORTESTPATH": "any", "ALLSHORTESTPATHS": "all"}
        if self.next.kind == "word" and self.next.text.upper() in words:
            shortest = words[self.next.text.upper()]
            self.at += 1
            self.expect("(", "after shortestPath")
        nodes, edges = [self.node()], []
        while self.peek_sign("-", "<"):
            edges.append(self.edge())
            nodes.append(self.node())
        if shortest is not None:
            self.expect(")", "after the path")
            if len(edges) != 1 or not edges[0].repeated:
                self.wrong("shortestPath takes two vertices and a repeated edge: shortestPath((a)-[*]->(b))", place)
        return s.PathPattern(name, tuple(nodes), tuple(edges), shortest, place)

    def node(self) -> s.NodePattern:
        """Read `(a:Label {column: value})`."""
        place = self.next.place
        self.expect("(", "to begin a vertex")
        name = None
        if self.next.kind in ("word", "quoted"):
            name = self.name("of a vertex")
        labels = self.labels() if self.peek_sign(":") else ()
        properties = self.properties() if self.peek_sign("{") else ()
        if self.peek_sign("$"):
            self.wrong("a parameter cannot stand for all columns of a vertex; write {name: $name}")
        self.expect(")", "to end the vertex")
        return s.NodePattern(name, labels, properties, place)

    def edge(self) -> s.EdgePattern:
        """Read `-[e:TYPE*1..3 {column: value}]->`, and the forms without brackets."""
        place = self.next.place
        left = self.sign("<")
        self.expect("-", "to begin an edge")
        name: str | None = None
        types: tuple[str, ...] = ()
        least, repeated = 1, False
        most: int | None = 1
        properties: tuple[tuple[str, s.Expression], ...] = ()
        bracketed = self.sign("[")
        if bracketed:
            if self.next.kind in ("word", "quoted"):
                name = self.name("of an edge")
            types = self._types() if self.peek_sign(":") else ()
            if self.sign("*"):
                repeated = True
                least, most = self._repetitions()
            properties = self.properties() if self.peek_sign("{") else ()
            if self.peek_sign("$"):
                self.wrong("a parameter cannot stand for all columns of an edge; write {name: $name}")
            self.expect("]", "to end the edge")
        self.end_of_edge(bracketed)
        right = self.sign(">")
        direction = "--" if left == right else "<-" if left else "->"
        return s.EdgePattern(name, types, properties, direction, repeated, least, most, place)

    def end_of_edge(self, bracketed: bool) -> None:
        """Read the dash that ends an edge, with brackets or without."""
        self.expect("-", "after the edge")

    def _types(self) -> tuple[str, ...]:
        self.at += 1
        found = [self.any_name("of a type")]
        while self.sign("|"):
            self.sign(":")
            found.append(self.any_name("of a type"))
        return tuple(found)

    def _repetitions(self) -> tuple[int, int | None]:
        least = self._whole()
        if self.sign(".."):
            most = self._whole()
            return 1 if least is None else least, most
        return (1, None) if least is None else (least, least)

    def _whole(self) -> int | None:
        if self.next.kind != "number":
            return None
        if not self.next.text.isdigit():
            self.wrong(f"{self.next.text} is not a number of edges; write it in digits")
        self.at += 1
        return int(self.tokens[self.at - 1].text)

    def labels(self) -> tuple[tuple[str, ...], ...]:
        """Read `:A:B|C`: of each tuple one holds."""
        found: list[tuple[str, ...]] = []
        while self.sign(":") or (found and self.sign("&")):
            some = [self._label()]
            while self.sign("|"):
                some.append(self._label())
            found.append(tuple(some))
        return tuple(found)

    def _label(self) -> str:
        if self.peek_sign("!", "("):
            self.wrong(
                f'expected a name of a label, not {self.shown()}; labels are joined by ":" (all) or "|" (one of them), '
                "and WHERE NOT n:Person asks for none"
            )
        name = self.any_name("of a label")
        if not name:
            self.at -= 1
            self.wrong("the name of a label is empty")
        return name

    def properties(self) -> tuple[tuple[str, s.Expression], ...]:
        """Read `{name: value}`."""
        self.expect("{", "before columns")
        found: list[tuple[str, s.Expression]] = []
        while not self.peek_sign("}") and (not found or self.sign(",")):
            name = self.any_name("of a column")
            self.expect(":", "after the name of a column")
            found.append((name, self.expression()))
        self.expect("}", "after columns")
        return tuple(found)
