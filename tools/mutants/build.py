"""Builds the tests of the store with many mutants of src/store in one program (rewrite.py says which).

Usage: build.py --tests DIR --build DIR [--number N] [--seed S] [--sources N] [--module store] [--clang-headers DIR]

Of all places that can be mutated N are drawn by chance; with `--sources`, of those in so many sources, which are drawn
before: to read and compile a source takes as long as running some of its mutants. Only the sources that have one are
compiled once more; the other objects are those of the ordinary test build (`--tests`). What does not compile is no
mutant and left out. The folder `--build`/run then holds all that running needs: the program, its libraries,
`mutants.json`, `run.py`; it may be copied to another machine. Needs libclang: pip install libclang.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shlex
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import rewrite  # noqa: E402
from sanitize_part import Build, Sanitizer  # noqa: E402
from share import ROOT, run_until  # noqa: E402

SECONDS = 4 * 3600  # a limit that only a machine that hangs meets
MUTANTS = Sanitizer("mutants", ("-g0", "-w", "-Wno-error"), {}, {}, {})
SWITCH = ("-include", str(HERE / "switch.h"))
ERROR = re.compile(r":(\d+):\d+: (?:fatal )?error:")
MOST_RETRIES = 12


class MutantBuild(Build):
    """The ordinary test build, with sources that hold mutants."""

    def mutated(self, source: str) -> Path:
        """Where the rewritten source lies."""
        return self.build / source.replace("/", "+")

    def compilation(self, made: str) -> list[str]:
        """The command that compiles the rewritten source."""
        words = super().compilation(made)
        words[words.index("-c") + 1] = str(self.mutated(self.sources[made]))
        return [*words, *SWITCH]

    def reading(self, source: str, headers: Path | None) -> list[str]:
        """The arguments with which clang reads the source."""
        words = self.commands[self.objects[source]]
        kept = [word for word in words if word.startswith(("-I", "-D", "-std"))]
        return [*kept, "-w", *(["-isystem", str(headers)] if headers else [])]


def draw(build: MutantBuild, sources: list[str], headers: Path | None, seed: int) -> list[tuple[str, rewrite.Site]]:
    """All places, in the order of the draw."""
    places = [
        (source, site)
        for source in sources
        for site in rewrite.sites_of(ROOT / source, build.reading(source, headers)).sites
    ]
    random.Random(seed).shuffle(places)
    return places


def compile_with(build: MutantBuild, source: str, sites: dict[rewrite.Site, int]) -> dict[rewrite.Site, int]:
    """Compiles a source with its mutants; those that compile."""
    parsed = rewrite.Source(ROOT / source, (ROOT / source).read_bytes())
    for _ in range(MOST_RETRIES):
        build.mutated(source).write_bytes(rewrite.rewritten(parsed, sites))
        status, output = run_until(time.monotonic() + SECONDS, build.compilation(build.objects[source]), build.tests)
        if status == 0:
            return sites
        wrong = {int(line) for line in ERROR.findall(output)}
        kept = {site: number for site, number in sites.items() if site.line not in wrong}
        if len(kept) == len(sites):
            print(f"{source}: its mutants do not compile\n{output[-2000:]}")
            kept = {}
        sites = kept
    raise SystemExit(f"{source}: mutants that do not compile are left after {MOST_RETRIES} tries")


def description(number: int, source: str, site: rewrite.Site) -> dict[str, int | str]:
    """What a report says of a mutant."""
    text = (ROOT / source).read_bytes()[site.begin : site.end].decode()
    return {
        "number": number,
        "file": source,
        "line": site.line,
        "kind": site.kind,
        "text": " ".join(text.split())[:160],
    }


def libraries_of(program: Path) -> list[Path]:
    """The shared libraries that not every system has."""
    listing = subprocess.run(["ldd", str(program)], capture_output=True, text=True, check=True).stdout
    paths = [Path(found) for found in re.findall(r"=> (/\S+)", listing)]
    return [path for path in paths if not re.match(r"lib(c|m|pthread|dl|rt)\.so", path.name)]


def gather(build: MutantBuild, program: str, mutants: list[dict[str, int | str]], seed: int, places: int) -> Path:
    """Puts what running needs into one folder."""
    folder = build.build / "run"
    (folder / "lib").mkdir(parents=True, exist_ok=True)
    subprocess.run(["strip", "-o", str(folder / program), str(build.build / program)], check=True)
    for library in libraries_of(build.build / program):
        shutil.copy(library, folder / "lib" / library.name)
    shutil.copy(HERE / "run.py", folder / "run.py")
    about = {"program": program, "seed": seed, "places": places, "mutants": mutants}
    (folder / "mutants.json").write_text(json.dumps(about, indent=1) + "\n")
    return folder


def link(build: MutantBuild, program: str, objects: list[str]) -> None:
    """Links the program with the switch."""
    words = build.linking(program, objects)
    if words is None:
        raise SystemExit(f"{program}: ninja does not tell how it is linked")
    switch = build.build / "switch.o"
    compiler = shlex.split(words[0])
    subprocess.run([*compiler, "-std=c++20", "-O1", "-c", str(HERE / "switch.cpp"), "-o", str(switch)], check=True)
    at = words.index("-o")
    subprocess.run([*words[:at], str(switch), *words[at:]], cwd=build.tests, check=True)


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tests", required=True, type=Path, help="a build directory whose test programs are made")
    parser.add_argument("--build", required=True, type=Path)
    parser.add_argument("--number", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--module", default="store")
    parser.add_argument("--sources", type=int, help="draw so many sources first; without, all have a part")
    parser.add_argument(
        "--clang-headers", type=Path, help="the folder of clang's own headers, which libclang alone lacks"
    )
    options = parser.parse_args()
    build = MutantBuild(options.tests.resolve(), options.build.resolve(), MUTANTS)
    sources = sorted(source for source in build.library() if Path(source).parts[1] == options.module)
    if options.sources:
        sources = sorted(random.Random(options.seed).sample(sources, min(options.sources, len(sources))))
    places = draw(build, sources, options.clang_headers, options.seed)
    chosen: dict[str, dict[rewrite.Site, int]] = {}
    for number, (source, site) in enumerate(places[: options.number]):
        chosen.setdefault(source, {})[site] = number
    print(
        f"{len(places)} places in {len(sources)} sources; {options.number} drawn, in {len(chosen)} sources", flush=True
    )
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        compiled = dict(
            zip(chosen, pool.map(lambda source: compile_with(build, source, chosen[source]), chosen), strict=True)
        )
    link(build, f"test_{options.module}", [build.objects[source] for source in compiled])
    mutants = sorted(
        (description(number, source, site) for source, sites in compiled.items() for site, number in sites.items()),
        key=lambda mutant: mutant["number"],
    )
    folder = gather(build, f"test_{options.module}", mutants, options.seed, len(places))
    print(f"{len(mutants)} of them compile; run them with: python3 {folder}/run.py")
    return 0


if __name__ == "__main__":
    sys.exit(main())
