"""Ids that differ only in how Unicode composes their characters: an accented letter is one character, or two."""

from __future__ import annotations

from .. import _core
from ..core.lazy_arrow import pa, pc
from ..core.lazy_numpy import np, npt
from .ids import arrow_ids, string_buffers

__all__ = ["composition_guess", "composition_twins"]

_SLICE = 1 << 20  # vertices
_NOT_THERE = 2**64 - 1


def composition_twins(state: _core.Snapshot) -> tuple[int, str]:
    """How many ids are, but for the composition of their characters, that of another vertex; and one of them.

    Cost: O(bytes of the ids); ids in ASCII are only looked through.
    """
    if state.schema.ids != _core.IdKind.string:
        return 0, ""
    twins, example = 0, ""
    seen: set[str] = set()  # compositions of ids that stand in other forms
    for begin in range(0, state.num_vertices, _SLICE):
        offsets, data = state.ids_of_range(begin, min(begin + _SLICE, state.num_vertices))
        if not len(data) or data.max() < 0x80:
            continue
        texts = arrow_ids((offsets, data))
        composed = pc.utf8_normalize(texts, "NFC")
        others = pc.not_equal(texts, composed)
        texts, composed = texts.filter(others), composed.filter(others)
        found = _found(state, composed)
        for text, form, is_there in zip(texts.to_pylist(), composed.to_pylist(), found.tolist(), strict=True):
            if is_there or form in seen:
                twins, example = twins + 1, example or text
            seen.add(form)
    return twins, example


def _found(state: _core.Snapshot, texts: pa.LargeStringArray) -> npt.NDArray[np.bool_]:
    """Which of the texts are ids."""
    found: npt.NDArray[np.bool_] = state.find_strings(*string_buffers(texts.cast(pa.large_string()))) != _NOT_THERE
    return found


def composition_guess(twins: int, example: str) -> str:
    """What to say of a number of ids, of which `example` is one."""
    which = "id differs from that of another vertex" if twins == 1 else "ids differ from those of other vertices"
    return (
        f"{twins:,} {which} only in how Unicode composes the characters, such as {example!a}: they are vertices "
        'of their own; to make them one, normalize the ids before (unicodedata.normalize("NFC", id))'
    )
