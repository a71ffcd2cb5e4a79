"""python -m rizoma.cli."""

from .main import main

main()
