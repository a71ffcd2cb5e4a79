"""Checks what things are called: no old words (words.toml has them, and what to say instead) in code, comments, docs.

Usage: check_words.py [--count] [--lower] [ROOT].  Prints `file:line: old -> new` for each area that has more of them
than words_left.txt permits, and how many each area has.  --count prints the counts only; --lower writes those that
fell into words_left.txt, whose limits never rise.  Exit status 1: an area has more than it may.
"""

from __future__ import annotations

import argparse
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path

import limits
from source_tree import files

MOST_EXCEPTIONS = 30
WORDS = Path("tools/words.toml")
LEFT = Path("tools/words_left.txt")

KINDS = {".h": "c++", ".cpp": "c++", ".py": "python", ".pyi": "python", ".md": "docs"}
TEXT = {*KINDS, ".txt", ".toml", ".cmake", ".yml", ".sh", ".html", ".js", ""}
# What speaks of old words on purpose, or is not ours to word: decisions are history, test data are what others write.
APART = (WORDS, LEFT, Path("docs/decisions"), Path("tests/data"), Path("tests/fuzz/corpus"), Path("LICENSE"))
# What the builds write from what is looked at already.
MADE = (
    Path("docs/reference/command.md"),
    Path("docs/reference/cpp"),
    Path("docs/reference/algorithms"),
    Path("python/rizoma/_core.pyi"),
)
# Whose words are counted together; files move between folders more often than between these.
AREAS = {
    "library": ("include", "src"),
    "bindings": ("python/src",),
    "package": ("python",),
    "tests": ("tests", "testing"),
    "bench": ("bench", "examples"),
    "docs": ("docs", "README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"),
}
REST = "tools and build"
HEAD = "Old words (words.toml) that each area may still have: these only fall, by check_words.py --lower."


@dataclass(frozen=True)
class Word:
    """An old word, and what it looks like where it is used."""

    old: str
    new: str
    names: tuple[str, ...] = ()
    pattern: str = ""
    below: tuple[str, ...] = ()
    kinds: frozenset[str] = frozenset()

    @cached_property
    def regex(self) -> re.Pattern[str]:
        """What finds it: names as components of identifiers, in both spellings; or its own pattern."""
        if self.pattern:
            return re.compile(self.pattern)
        camel = ["".join(part.capitalize() for part in name.split("_")) for name in self.names if "_" in name]
        either = rf"(?<![a-z])(?:{'|'.join(self.names)})(?![a-z])"
        return re.compile(either + (rf"|(?:{'|'.join(camel)})(?![a-z])" if camel else ""))

    @cached_property
    def letters(self) -> frozenset[str]:
        """Runs of letters, one of which is in every text that the word is in: a search for these is much faster."""
        if self.names:
            return frozenset(self.names) | {name.replace("_", "") for name in self.names}
        return frozenset(run for alternative in _alternatives(self.pattern) for run in _letters_of(alternative))

    def concerns(self, path: Path) -> bool:
        """Whether it is looked for in this file."""
        if self.kinds and KINDS.get(path.suffix) not in self.kinds:
            return False
        return not self.below or any(path.is_relative_to(place) for place in self.below)


def _alternatives(pattern: str) -> list[str]:
    """The parts of a pattern between its outermost bars."""
    parts, depth = [""], 0
    for token in re.findall(r"\\.|\[[^\]]*\]|.", pattern):
        depth += (token == "(") - (token == ")")
        if token == "|" and depth == 0:
            parts.append("")
        else:
            parts[-1] += token
    return parts


def _letters_of(alternative: str) -> list[str]:
    """The longest run of letters that is in all that the alternative finds; all of its runs where there is none."""
    plain = re.sub(r"\(\?<?[!=](?:[^()]|\([^()]*\))*\)", " ", alternative)  # not what is beside it
    sure = re.sub(r"\((?:[^()]|\([^()]*\))*\)\??", " ", plain)  # nor what may be absent
    for text in (sure, plain):
        runs = re.findall(r"[A-Za-z]{3,}", re.sub(r"\\.|\w\?|\[[^\]]*\]", " ", text))
        if runs:
            return [max(runs, key=len).lower()] if text is sure else [run.lower() for run in runs]
    return [""]  # in every text


@dataclass(frozen=True)
class Use:
    """A use of an old word: where, which, and what to say instead."""

    path: Path
    line: int
    text: str
    word: Word

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.text} -> {self.word.new}"


class Rules:
    """The words of a words.toml, and where they may stand all the same."""

    def __init__(self, text: str) -> None:
        read = tomllib.loads(text)
        self.words = [
            Word(
                entry["old"],
                entry["new"],
                tuple(entry.get("names", ())),
                entry.get("pattern", ""),
                tuple(entry.get("below", ())),
                frozenset(entry.get("in", ())),
            )
            for entry in read["word"]
        ]
        self.exceptions: list[dict[str, str]] = read.get("exception", [])
        self._used: set[int] = set()

    def uses_in(self, path: Path, text: str) -> Iterator[Use]:
        """The old words in a file's name (line 0) and in its text."""
        lower_case = f"{path.as_posix()}\n{text}".lower()
        for word in self.words:
            if not word.concerns(path) or not any(run in lower_case for run in word.letters):
                continue
            found = [(0, match[0]) for match in word.regex.finditer(path.as_posix())]
            found += [(text.count("\n", 0, match.start()) + 1, match[0]) for match in word.regex.finditer(text)]
            for line, said in found:
                if not self._is_excepted(path, said):
                    yield Use(path, line, said, word)

    def faults(self) -> list[str]:
        """What is wrong with the exceptions themselves."""
        idle = [e for i, e in enumerate(self.exceptions) if i not in self._used]
        found = [f"{WORDS}: no use of the exception for {e['text']} in {e['path']}: take it out" for e in idle]
        found += [f"{WORDS}: the exception for {e['text']} says no reason" for e in self.exceptions if not e.get("why")]
        if len(self.exceptions) > MOST_EXCEPTIONS:
            found.append(f"{WORDS}: {len(self.exceptions)} exceptions; at most {MOST_EXCEPTIONS}")
        return found

    def _is_excepted(self, path: Path, said: str) -> bool:
        for i, exception in enumerate(self.exceptions):
            if fnmatchcase(path.as_posix(), exception["path"]) and re.fullmatch(exception["text"], said):
                self._used.add(i)
                return True
        return False


def area_of(path: Path) -> str:
    """The area that a file's words are counted with."""
    for area, places in AREAS.items():
        if any(path.is_relative_to(place) for place in places):
            return area
    return REST


def uses(root: Path, rules: Rules) -> list[Use]:
    """All uses of old words in the tree at `root`."""
    found: list[Use] = []
    for path in files(root, *TEXT):
        if any(path.is_relative_to(place) for place in (*APART, *MADE)):
            continue
        try:
            text = (root / path).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # data, such as a graph without a suffix
        found += rules.uses_in(path, text)
    return sorted(found, key=lambda use: (use.path, use.line))


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", action="store_true", help="the counts only")
    parser.add_argument("--lower", action="store_true", help="write the limits that fell")
    parser.add_argument("root", nargs="?", type=Path, default=Path(__file__).resolve().parent.parent)
    options = parser.parse_args()
    rules = Rules((options.root / WORDS).read_text(encoding="utf-8"))
    found = uses(options.root, rules)
    permitted, counts = limits.read(options.root / LEFT), Counter(area_of(use.path) for use in found)
    most = {area: limit for area, (limit,) in permitted.items()}
    over = [area for area in counts if counts[area] > most.get(area, 0)]
    if not options.count:
        print("".join(f"{use}\n" for use in found if area_of(use.path) in over), end="")
    for area in sorted({*counts, *most}):
        limit = most.get(area, 0)
        note = "" if counts[area] == limit else " TOO MANY" if area in over else "; fewer: run check_words.py --lower"
        print(f"words: {area}: {counts[area]} old ones, {limit} permitted{note}")
    faults = rules.faults()
    print("\n".join([*faults, "words: the old ones are gone" if not counts else f"words: {counts.total()} in all"]))
    if options.lower:
        limits.lower(options.root / LEFT, permitted, {area: (counts[area],) for area in permitted}, HEAD)
    return 1 if over or faults else 0


if __name__ == "__main__":
    sys.exit(main())
