"""python -m rizoma.cli."""

from . import main

main()
