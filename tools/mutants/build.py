"""Builds test programs with many mutants of src/store in one (rewrite.py says which).

Usage: build.py --tests DIR --build DIR [--number N] [--seed S] [--module store] [--programs test_store,test_api]
       [--clang-headers DIR] [--jobs N]

Of all places of the module that can be mutated N are drawn by chance. The sources that have one are compiled once more;
the other objects are those of the ordinary test build (`--tests`). Sources of a folder are read and compiled together,
since most of the time goes into headers. What does not compile is no mutant and left out. The folder `--build`/run then
holds all that running needs: the programs, their libraries, `mutants.json`, `run.py`; it may be copied to another
machine. Needs libclang: pip install libclang.
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
ERROR = re.compile(r"([^\s:]+):(\d+):\d+: (?:fatal )?error:")
MOST_RETRIES = 12


class MutantBuild(Build):
    """The ordinary test build, with sources that hold mutants."""

    def __init__(self, tests: Path, build: Path, sites: dict[str, dict[rewrite.Site, int]]) -> None:
        super().__init__(tests, build, MUTANTS)
        self.sites = sites  # of each source the mutants, with their numbers

    def text_of(self, source: str) -> Path:
        """Where the rewritten source lies."""
        return self.build / source.replace("/", "+")

    def compilation(self, made: str) -> list[str]:
        """The command that compiles rewritten sources."""
        words = super().compilation(made)
        at = words.index("-c") + 1
        source = os.path.relpath(words[at], ROOT)
        words[at] = str(self.text_of(source)) if source in self.sites else words[at]
        return [*words, *SWITCH]

    def reading(self, source: str, headers: Path | None) -> list[str]:
        """The arguments with which clang reads a source."""
        words = self.commands[self.objects[source]]
        kept = [word for word in words if word.startswith(("-I", "-D", "-std"))]
        return [*kept, "-w", *(["-isystem", str(headers)] if headers else [])]

    def rewrite(self, source: str) -> None:
        """Writes a source with its mutants."""
        parsed = rewrite.Source(ROOT / source, (ROOT / source).read_bytes())
        self.text_of(source).write_bytes(rewrite.rewritten(parsed, self.sites[source]))

    def drop(self, source: str, lines: set[int]) -> bool:
        """Leaves out the mutants of these lines; false if there are none."""
        kept = {site: number for site, number in self.sites[source].items() if site.line not in lines}
        fewer = len(kept) < len(self.sites[source])
        self.sites[source] = kept
        self.rewrite(source)
        return fewer

    def drop_wrong(self, group: list[str], output: str) -> bool:
        """Leaves out the mutants that did not compile; false if they are not the reason."""
        wrong: dict[str, set[int]] = {}
        for file, line in ERROR.findall(output):
            wrong.setdefault(Path(file).name, set()).add(int(line))
        dropped = [self.drop(each, wrong.get(self.text_of(each).name, set())) for each in group]
        return any(dropped)


def draw(build: MutantBuild, sources: list[str], headers: Path | None, seed: int) -> list[tuple[str, rewrite.Site]]:
    """All places, in the order of the draw."""
    places = []
    for group in build.united(sources).values():
        found = rewrite.sites_of([ROOT / source for source in group], build.reading(group[0], headers))
        places += [(source, site) for source, parsed in zip(group, found, strict=True) for site in parsed.sites]
    random.Random(seed).shuffle(places)
    return places


def compile_group(build: MutantBuild, made: str, group: list[str]) -> list[str]:
    """Compiles sources with their mutants, together or else alone; the objects."""
    for _ in range(MOST_RETRIES):
        status, output = run_until(time.monotonic() + SECONDS, build.compilation(made), build.tests)
        if status == 0:
            return [made]
        if not build.drop_wrong(group, output):
            if len(group) > 1:
                return [each for source in group for each in compile_group(build, build.objects[source], [source])]
            print(f"{group[0]}: its mutants do not compile\n{output[-2000:]}")
            build.drop(group[0], {site.line for site in build.sites[group[0]]})
    raise SystemExit(f"{group[0]}: mutants that do not compile are left after {MOST_RETRIES} tries")


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


def gather(build: MutantBuild, about: dict[str, object], programs: list[str]) -> Path:
    """Puts what running needs into one folder."""
    folder = build.build / "run"
    (folder / "lib").mkdir(parents=True, exist_ok=True)
    for program in programs:
        subprocess.run(["strip", "-o", str(folder / program), str(build.build / program)], check=True)
        for library in libraries_of(build.build / program):
            shutil.copy(library, folder / "lib" / library.name)
    shutil.copy(HERE / "run.py", folder / "run.py")
    (folder / "mutants.json").write_text(json.dumps(about, indent=1) + "\n")
    return folder


def link(build: MutantBuild, program: str, objects: list[str]) -> None:
    """Links a program with the switch."""
    words = build.linking(program, objects)
    if words is None:
        raise SystemExit(f"{program}: ninja does not tell how it is linked")
    switch = build.build / "switch.o"
    compiler = shlex.split(words[0])
    subprocess.run([*compiler, "-std=c++20", "-O1", "-c", str(HERE / "switch.cpp"), "-o", str(switch)], check=True)
    at = words.index("-o")
    subprocess.run([*words[:at], str(switch), *words[at:]], cwd=build.tests, check=True)


def options_of() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tests", required=True, type=Path, help="a build directory whose test programs are made")
    parser.add_argument("--build", required=True, type=Path)
    parser.add_argument("--number", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--module", default="store")
    parser.add_argument("--programs", default="test_store,test_api", help="test programs, the first one's tests first")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument(
        "--clang-headers", type=Path, help="the folder of clang's own headers, which libclang alone lacks"
    )
    return parser.parse_args()


def main() -> int:
    """The command."""
    options = options_of()
    build = MutantBuild(options.tests.resolve(), options.build.resolve(), {})
    sources = sorted(source for source in build.library() if Path(source).parts[1] == options.module)
    places = draw(build, sources, options.clang_headers, options.seed)
    for number, (source, site) in enumerate(places[: options.number]):
        build.sites.setdefault(source, {})[site] = number
    print(f"{len(places)} places in {len(sources)} sources; {options.number} drawn", flush=True)
    for source in build.sites:
        build.rewrite(source)
    groups = build.united(list(build.sites))
    with ThreadPoolExecutor(options.jobs) as pool:
        objects = [
            made for group in pool.map(lambda made: compile_group(build, made, groups[made]), groups) for made in group
        ]
    programs = options.programs.split(",")
    for program in programs:
        link(build, program, objects)
    mutants = sorted(
        (description(number, source, site) for source, sites in build.sites.items() for site, number in sites.items()),
        key=lambda mutant: mutant["number"],
    )
    about = {"programs": programs, "seed": options.seed, "places": len(places), "mutants": mutants}
    folder = gather(build, about, programs)
    print(f"{len(mutants)} of them compile; run them with: python3 {folder}/run.py")
    return 0


if __name__ == "__main__":
    sys.exit(main())
