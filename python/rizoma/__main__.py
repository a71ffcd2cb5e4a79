"""python -m rizoma: the command line."""

from .cli import main

main()
