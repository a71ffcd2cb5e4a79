"""Times of tagged states: nanoseconds in the core, datetimes here."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from ..core.errors import InvalidArgumentError
from ..core.options import unicode_text

__all__ = ["moment", "tag_or_time", "time_meant"]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def moment(nanoseconds: int) -> datetime:
    """The first microsecond that is not before, so that `rizoma.open` with it as `at` finds the tag."""
    return _EPOCH + timedelta(microseconds=-(-nanoseconds // 1000))


def tag_or_time(when: str | datetime | None) -> str:
    """A tag, or a time, as the core takes it."""
    if isinstance(when, datetime):
        aware = when if when.tzinfo is not None else when.replace(tzinfo=UTC)
        return f"@{(aware - _EPOCH) // timedelta(microseconds=1) * 1000}"
    if when == "":
        raise InvalidArgumentError("the name of the tag is empty; tags() lists the tags")
    return "" if when is None else unicode_text("the name of the tag", when)


def time_meant(tag: str) -> str:
    """What to say of a tag that there is not, where its name looks like a time; empty: it does not."""
    try:
        when = datetime.fromisoformat(tag)
    except ValueError:
        return ""
    return f"; text names a tag, and a time is given in Python as {when!r}"
