"""Kills processes that write, and looks whether all that they had reported as durable is there, and whole.

usage: torture.py [ROUNDS]
"""

import random
import subprocess
import sys
import tempfile
from pathlib import Path

import rizoma as rz

WRITER = """
import sys
import rizoma as rz

graph = rz.open(sys.argv[1], directed=True, ids="integer")
for batch in range(int(sys.argv[2]), 1 << 30):
    graph.add_edges([(batch, -1 - i) for i in range(batch % 7 + 1)])
    if batch % 5 == 4:
        graph.checkpoint()
    print(batch, flush=True)
"""


def killed(store, first, reports):
    """Let a process write until it has made this many reports; the number of the batch after the last reported one."""
    writer = subprocess.Popen([sys.executable, "-c", WRITER, store, str(first)], stdout=subprocess.PIPE, text=True)
    for _ in range(reports):
        assert writer.stdout.readline().strip(), "the writer ended by itself"
        first += 1
    writer.kill()
    rest, _ = writer.communicate()
    return first + rest.count("\n")


def main():
    """Kill, open, compare, round after round."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 8
    draw = random.Random(1)
    with tempfile.TemporaryDirectory() as directory:
        store, reported = Path(directory) / "killed.rz", 0
        for _ in range(rounds):
            reported = killed(store, reported, draw.randrange(1, 30))
            with rz.open(store, mode="read_only") as graph:
                found = sum(1 for v in graph if v >= 0)
                assert reported <= found <= reported + 1, (reported, found)
                assert all(len(list(graph.neighbors(batch))) == batch % 7 + 1 for batch in range(found))
            reported = found
        subprocess.run([Path(sys.executable).with_name("rizoma"), "check", store], check=True)
    print(f"{reported} batches are whole after {rounds} kills")


main()
