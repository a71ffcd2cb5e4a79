"""python -m rizoma: the command line."""

from _rizoma_command import main

main()
