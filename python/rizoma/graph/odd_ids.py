"""What may be wrong with ids: texts for no value, -1 for no value, NUL, blanks around them, characters composed in two
ways, of few also other capitals.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from .. import _core
from ..core.errors import InvalidArgumentError
from ..core.lazy_arrow import pa, pc
from ..core.lazy_numpy import np, npt
from .ids import arrow_ids, string_buffers

__all__ = ["OddIds"]

_SLICE = 1 << 20  # vertices
_FEW = 64  # vertices
_WORD = 3  # bytes; shorter ids, and those with digits, are often codes, of which each case is another
_SEVERAL = 2  # edges at a number that may stand for no value
_SIGNS = (b'"', b"'", b".0", b"e+", b"E+", b":")  # of ids in quotes, numbers in two ways, lists
_QUOTES = "\u201c\u201d\u201e\u2018\u2019\u00ab\u00bb"
_NOT_THERE = 2**64 - 1
_FIRST = 1000  # vertices
_BLANK = 0x20  # the greatest of ASCII
_READ = " is read "
_PADDED = "without the blanks around it"


@dataclass
class OddIds:
    """The odd ones among ids: how many there are of a kind, and one of them."""

    no_values: tuple[str, ...] = ()
    """What programs write for no value."""
    nuls: int = 0
    """Those with a NUL, which files of text cannot hold."""
    nul: str = ""
    twins: int = 0
    """Those that are, but for the composition of their characters, that of another vertex."""
    twin: str = ""
    padded: int = 0
    """Those with blanks around them."""
    pad: str = ""
    capitals: tuple[str, str] | None = None
    """Of few: one, and the id of another vertex, which differs in capitals alone."""
    negative: int = 0
    """The only number below 0, if several edges end at it; 0: there is none."""
    negative_edges: int = 0
    first: str = ""
    """What to say of the first ones together: all are in quotes, some numbers are written in two ways."""

    @classmethod
    def of(cls, state: _core.Snapshot, first: int = 0) -> OddIds:
        """Those of the vertices from the internal id `first` on; their twins may be others.

        Cost: O(bytes of these ids); ids in ASCII are only looked through.
        """
        odd = cls()
        count = state.num_vertices - first
        if count and state.schema.ids == _core.IdKind.integer:
            odd._find_negative(state, first)
        if not count or state.schema.ids != _core.IdKind.string:
            return odd
        few = _few(state, first) if count <= _FEW else []
        odd.capitals = _other_capitals(state, few)
        if few and _are_plain(few):
            return odd
        odd.no_values = _of_no_value(state, first)
        seen: set[str] = set()  # compositions of ids that stand in other forms
        for begin in range(first, state.num_vertices, _SLICE):
            offsets, data = state.ids_of_range(begin, min(begin + _SLICE, state.num_vertices))
            if not len(data):
                continue
            texts = arrow_ids((offsets, data))
            if begin == first:
                first_ids = texts.slice(0, _FIRST).to_pylist()
                odd.first = _core.ids_guess("the ids", first_ids) or _form_guess(first_ids)
            if not data.min():
                odd._count_nuls(texts)
            if data.max() >= 0x80:
                odd._count_twins(state, first, texts, seen)
            if data.max() >= 0x80 or (data.min() <= _BLANK and _has_outer_blanks(offsets, data)):
                odd._count_padded(texts)
        return odd

    def guesses(self, told: Iterable[str] = (), before: OddIds | None = None) -> list[str]:
        """What to say of them, but for what `told` says, and for those that were there `before`."""
        before = before or OddIds()
        said = " ".join(told)
        texts = [text for text in self.no_values if text not in before.no_values and f"'{text}'" not in said]
        guesses = [_core.ids_guess("the ids", [text]) for text in texts]
        if self.negative and self.negative != before.negative:
            guesses.append(_negative_guess(self.negative, self.negative_edges))
        if self.nuls > before.nuls:
            guesses.append(_nul_guess(self.nuls - before.nuls, self.nul))
        if self.padded > before.padded and _PADDED not in said:
            guesses.append(_core.ids_guess("the ids", [self.pad]))
        if self.first and not self.padded and not self.no_values and self.first.partition(_READ)[2] not in said:
            guesses.append(self.first)
        if self.twins > before.twins:
            guesses.append(_composition_guess(self.twins - before.twins, self.twin))
        if self.capitals:
            guesses.append(_capitals_guess(*self.capitals))
        return guesses

    def _find_negative(self, state: _core.Snapshot, first: int) -> None:
        found = _negatives(state, first, state.num_vertices)
        if len(found) != 1 or (first and len(_negatives(state, 0, first))):
            return
        with suppress(InvalidArgumentError):  # a directed graph that stores no in-edges does not know them
            self.negative_edges = state.degree_of(int(found[0])) or 0
        self.negative = int(found[0]) if self.negative_edges >= _SEVERAL else 0

    def _count_nuls(self, texts: pa.LargeStringArray) -> None:
        found = texts.filter(pc.match_substring(texts, "\0"))
        if len(found):
            self.nuls, self.nul = self.nuls + len(found), self.nul or found[0].as_py()

    def _count_padded(self, texts: pa.LargeStringArray) -> None:
        found = texts.filter(pc.not_equal(texts, pc.utf8_trim(texts, characters="".join(_core.outer_blanks()))))
        found = found.filter(pc.invert(pc.is_in(found, pa.array(_core.no_value_texts(), pa.large_string()))))
        if len(found):
            self.padded, self.pad = self.padded + len(found), self.pad or found[0].as_py()

    def _count_twins(self, state: _core.Snapshot, first: int, texts: pa.LargeStringArray, seen: set[str]) -> None:
        """Count one less than there are in each set of twins, but those that lie before `first`."""
        texts = texts.filter(pc.invert(pc.string_is_ascii(texts)))
        forms = pc.utf8_normalize(texts, "NFC")
        stands_composed = pc.equal(texts, forms)
        others = pc.invert(stands_composed)
        self._count_decomposed(state, first, texts.filter(others), forms.filter(others), seen)
        if first:
            composed = texts.filter(stands_composed)
            apart = pc.utf8_normalize(composed, "NFD")
            for place in np.flatnonzero(_found(state, apart) < first).tolist():
                if apart[place] != composed[place]:
                    self.twins, self.twin = self.twins + 1, self.twin or composed[place].as_py()

    def _count_decomposed(
        self,
        state: _core.Snapshot,
        first: int,
        texts: pa.LargeStringArray,
        forms: pa.LargeStringArray,
        seen: set[str],
    ) -> None:
        """Those that have a composed form, which is another text."""
        there = _found(state, forms) != _NOT_THERE
        if first:
            there |= _found(state, pc.utf8_normalize(texts, "NFD")) < first
        for text, form, is_there in zip(texts.to_pylist(), forms.to_pylist(), there.tolist(), strict=True):
            if is_there or form in seen:
                self.twins, self.twin = self.twins + 1, self.twin or text
            seen.add(form)


def _form_guess(ids: list[str]) -> str:
    """What to say of ids that show another form of data: in printed quotes, or some with a colon and without."""
    if all(len(each) > 1 and each[0] in _QUOTES and each[-1] in _QUOTES for each in ids):
        return (
            f"{ids[0]} in the ids is read with its printed quotes, which are part of the id, as only straight ones "
            "enclose a text; if these do, take them out"
        )
    there = set(ids)
    listed = next((each for each in ids if each.endswith(":") and each[:-1] in there), None)
    if listed is None:
        return ""
    return (
        f"'{listed}' in the ids is read as the id of a vertex, not as '{listed[:-1]}'; if the neighbours of a vertex "
        "stand behind its colon, write a line with two ids for each edge"
    )


def _few(state: _core.Snapshot, first: int) -> list[bytes]:
    """The ids from `first` on."""
    offsets, data = state.ids_of_range(first, state.num_vertices)
    texts = bytes(data)
    return [texts[begin:end] for begin, end in pairwise(offsets.tolist())]


def _are_plain(few: list[bytes]) -> bool:
    """Whether ids are plain: ASCII without NUL, outer blanks or texts for no value.

    A quick look, which small changes feel.
    """
    texts = b"".join(few)
    if not texts.isascii() or 0 in texts or any(sign in texts for sign in _SIGNS):
        return False
    return _no_values().isdisjoint(few) and all(text == text.strip() for text in few)


def _other_capitals(state: _core.Snapshot, few: list[bytes]) -> tuple[str, str] | None:
    """The first of these ids that another vertex has in other capitals, as people write names; not of codes."""
    for text in few:
        if len(text) < _WORD or any(digit in text for digit in b"0123456789"):
            continue
        id_ = text.decode(errors="replace")
        for other in {id_.lower(), id_.upper(), id_.title(), id_.capitalize()} - {id_}:
            if state.find_string(other) is not None:
                return id_, other
    return None


def _has_outer_blanks(offsets: npt.NDArray[np.uint64], data: npt.NDArray[np.uint8]) -> bool:
    """Whether some id in ASCII begins or ends with a blank, or is empty."""
    begins, ends = offsets[:-1], offsets[1:]
    some = begins != ends
    outer = np.concatenate([data[begins[some]], data[ends[some] - 1]])
    return bool(np.any((outer == 0x20) | ((outer >= 0x09) & (outer <= 0x0D))))


@cache
def _no_values() -> frozenset[bytes]:
    """What programs write for no value, in UTF-8."""
    return frozenset(text.encode() for text in _core.no_value_texts())


def _found(state: _core.Snapshot, texts: pa.Array) -> npt.NDArray[np.uint64]:
    """The internal ids of texts; 2^64 - 1: it is no id."""
    return np.asarray(state.find_strings(*string_buffers(texts.cast(pa.large_string()))), np.uint64)


def _of_no_value(state: _core.Snapshot, first: int) -> tuple[str, ...]:
    """What programs write for no value, if it is an id from `first` on.  Cost: a look-up of each such text."""
    texts = _core.no_value_texts()
    found = (state.find_string(text) for text in texts)
    return tuple(text for text, number in zip(texts, found, strict=True) if number is not None and number >= first)


def _negatives(state: _core.Snapshot, begin: int, end: int) -> npt.NDArray[np.int64]:
    """The numbers below 0 among the ids of these vertices: none, or one or two of them."""
    found = np.empty(0, np.int64)
    for at in range(begin, end, _SLICE):
        ids = np.asarray(state.ids_of_range(at, min(at + _SLICE, end)), np.int64)
        found = np.concatenate([found, ids[ids < 0][:2]])
        if len(found) > 1:
            break
    return found


def _negative_guess(number: int, edges: int) -> str:
    return (
        f"{number} is read as the id of a vertex, with {edges:,} edges, and no other id is below 0; if it stands for "
        f'no value, take such rows out (CSV: null="{number}" leaves them out)'
    )


def _nul_guess(count: int, example: str) -> str:
    which = "id has" if count == 1 else "ids have"
    return (
        f"{count:,} {which} a NUL character, such as {example!a}: no file of text can hold them; where NUL fills up a "
        'text of fixed length, take it out before (id.rstrip("\\0"))'
    )


def _capitals_guess(id_: str, other: str) -> str:
    return (
        f"{id_!r} in the ids is read as the id of a vertex, and {other!r} is another one: they differ in capitals "
        "alone; if they mean one, write them alike (str.lower)"
    )


def _composition_guess(twins: int, example: str) -> str:
    which = "id differs from that of another vertex" if twins == 1 else "ids differ from those of other vertices"
    return (
        f"{twins:,} {which} only in how Unicode composes the characters, such as {example!a}: they are vertices "
        'of their own; to make them one, normalize the ids before (unicodedata.normalize("NFC", id))'
    )
