"""Values of an edge or a vertex as they were read: a dict that refuses changes, which the graph would not see."""

from __future__ import annotations

from typing import Any, NoReturn

from ..core.errors import UnsupportedError

__all__ = ["ReadValues"]


class ReadValues(dict[Any, Any]):
    """A dict that does not change; `copy()` and `dict(values)` give one that does."""

    __slots__ = ()

    def _refuse(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise UnsupportedError(
            "these are values as they were read: to change the graph write g.set(v, age=5), or g.set((u, v), amount=5) "
            "for an edge; to change them here take a copy, dict(values)"
        )

    __setitem__ = __delitem__ = __ior__ = update = setdefault = pop = popitem = clear = _refuse

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy, deepcopy and pickle give a plain dict."""
        return dict, (dict(self),)
