"""rizoma upgrade."""

from __future__ import annotations

from ..checking import upgrade as upgrade_store
from .app import Locations, Store, command, say

__all__ = ["upgrade"]


@command("upgrade")
def upgrade(store: Store, location: Locations = None) -> None:
    """Make a store of an earlier format one of the present format.

    Stores of format 1 can be read, by all commands that only read, but not changed before this.  It takes no longer
    than a checkpoint, and whatever interrupts it, the store is whole.

    \b
    rizoma upgrade social.rz
    """
    done = upgrade_store(store, locations=location or ())
    say(f"{store}: now of the present format" if done else f"{store}: of the present format already")
