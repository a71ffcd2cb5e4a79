"""rizoma upgrade."""

from __future__ import annotations

from ..graph.check import upgrade as upgrade_store
from .app import MovedLocations, Store, command, say

__all__ = ["upgrade"]


@command("upgrade")
def upgrade(store: Store, location: MovedLocations = None) -> None:
    """Upgrade a store of an earlier format to the current one.

    Stores of format 1 can be read, but have to be upgraded before they can be changed.  This takes no longer than a
    checkpoint.  If it is interrupted, the store is in one format or the other, and intact.

    \b
    rizoma upgrade social.rz
    """
    done = upgrade_store(store, locations=location or ())
    say(f"{store}: now of the present format" if done else f"{store}: of the present format already")
