#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Looks for retired words: one thing has one word, and it is the word that the field knows.

    tools/check_words.py [-v] [FILE or FOLDER ...]

Looks at identifiers part by part (`owed` in rl_owed_rows), at comments and messages, and at prose. Everyday words
(still, short, keep, window, ...) are retired in one sense alone: as parts of identifiers they always count, in prose only
in phrases that give the sense away. Prints counts by word and file, with -v every line. Words that are meant in their
ordinary sense are listed in tools/words.txt with a reason.
"""

import collections
import fnmatch
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ["include", "src", "scene", "render", "apps", "docs", "README.md", "CONTRIBUTING.md", "examples"]
CODE = {".c", ".h", ".cu", ".cuh", ".cpp", ".glsl"}
PROSE = {".md", ".1"}

# Each row: the retired word; the parts of identifiers that show it; patterns that show it in prose; what to say
# instead; and, for words that are retired in one place alone, the folders where that is.
WORDS = [
    ("water", "", r"\ba water\b(?!(?:'s)?[ -](?:level|depth|column|surface|body|film|wave|jet|particle|texture|cell|mesh|"
     r"shader|drop|vertex|side|front|line|pipe))|\bwaters\b|`?(?:pipes|layers|swe|river)`? water\b|"
     r"\bother water\b|\beach water\b|\bthis water (?:cannot|can|is no|knows|has no|gives)|\bwhich water\b", "solver"),
    ("room", "room rooms", r"\brooms?\b", "module; or capacity, free volume"),
    ("paper number", "", r"(?<![\d.,])(?<!\d\s)\b00[0-4](?=\s+(?:section|Eqs?\b|Figs?\b|Algorithm|Table|chapter|App|and 00)|\.\d"
     r"|[.,;:)'\]](?!\d)|\s*$|\s+\()", "the author's name"),
    ("country", "country countries", r"\bcountr(?:y|ies)\b", "terrain, full terrain"),
    ("window", "window windows", r"\bwindows? (?:on|over|of the world|that moves?|moves?)\b|\bmoving windows?\b",
     "moving domain"),
    ("gift", "gift gifts giving", r"\bgifts?\b|\bgiving and taking\b", "deposit"),
    ("still", "still stills", r"\b(?:a|the|each|every|this|its|of|per) stills?\b(?! (?:water|surface|lake|air|sea|level|depth|pool|has|is|"
     r"there|moves|be))|\bstills\b", "frame data"),
    ("look", "look looks looked", r"\b(?:look|looks|looked|looking) at\b|\b(?:the|its|a|stable|new|same) looks?\b(?! for)|"
     r"\blooks of\b", "get, query, read, view; or material"),
    ("away", "away", r"\b(?:is|are|was|were|be|been|stays?|lives?|keeps? it) away\b(?! from)", "device-resident"),
    ("home", "home", r"\b(?:fetch\w*|bring\w*|brought|com(?:e|es|ing)|came|stays?|is|are|at|sent|go(?:es)?) (?:\w+ )?home\b",
     "host-resident, synchronise"),
    ("carried", "carried", r"\bcarried (?:texture )?coordinates\b|\bcoordinates (?:that are )?carried\b",
     "advected texture coordinates"),
    ("drift", "drift drifts drifting", r"\bwaves that drift\b|\bdrifting waves\b|\bdrift(?:ing)? (?:waves|pages|pieces)\b|"
     r"\bdrifting ones\b", "wave particles"),
    ("pages", "page pages piece pieces", r"\bpieces of (?:an|the|a) (?:animated|texture|sea|wave)", "wave particles; tiles of texels, patches",
     ("src/waves", "src/solvers/river", "src/world", "include", "render", "docs")),
    ("owed", "owe owed owes", r"\bowe[ds]?\b", "displaced volume"),
    ("share", "share shares", r"\bshares? of\b|\b(?:out|in)flow shares?\b", "outflow limiter, inflow limiter"),
    ("short", "short", r"\bcells? (?:is|are|runs?|falls?) short\b|\bsome cell is short\b", "outflow limiter"),
    ("claim", "claim claims paid welcome admit admits", r"\bclaim(?:s|ed)?\b|\bpa(?:y|ys|id)\b|\bwelcome\b|\badmit(?:s|ted)?\b",
     "outflow limiter, inflow limiter"),
    ("raised", "raised", r"\braised (?:maxim|since)|\b(?:deposits?|gifts?) (?:had |has |have )?raised\b", "running maximum, dirty maximum"),
    ("near", "near soon", r"\b(?:brought|brings?|bringing) (?:\w+ ){0,3}near\b", "prefetch"),
    ("pace", "pace paces", r"\bpace[sd]?\b", "substep controller"),
    ("moment", "moment moments", r"\bstep's moment\b", "step context",
     ("src/solvers", "src/particles", "src/waves", "src/world", "src/gpu")),
    ("tide", "tide tides", r"\btides?\b", "boundary series"),
    ("keep", "keep keeps kept", r"\bkept (?:on (?:the )?disk|beside)\b", "cache file, persistent",
     ("scene", "src/world", "src/solvers/river", "apps", "include", "docs", "README")),
    ("front", "front near walk walks tile tiles", "", "surface pressure sampling", ("src/bodies",)),
    ("layers of swe", "", r"\babsorbing layers\b|\bboth layers\b|\bthe layers\b", "absorbing layer (PML)", ("src/solvers/swe",)),
    ("foretell", "foretell foretold foretells", r"\bforet(?:ell\w*|old)\b", "speculative step"),
    ("relay", "relay relays", r"\brelays?\b", "warp pipeline"),
    ("residence", "residence residences", r"\bresidences?\b", "persistent kernel"),
    ("meeting", "meeting meetings", r"\bmeetings?\b", "grid barrier"),
    ("sheets", "sheets", r"\bsheets\b", "multi-layer surface"),
    ("quartet", "quartet quartets", r"\bquartets?\b", "2x2 cell group"),
    ("scraps", "scrap scraps", r"\bscraps?\b", "polygon buffer"),
    ("partners", "partner partners", r"\bpartners?\b", "cross-layer links"),
    ("trouble", "trouble troubles", r"\btroubles?\b", "error"),
    ("say", "say says", r"\bin words\b(?! of)", "message"),
    ("words", "words", "", "message, spelling suggestion", ("scene", "apps")),
    ("drying", "drying", r"\bdrying\b", "evaporation"),
    ("hand", "hand eye stage", r"\bthe (?:hand|stage)\b", "picker, camera controller, loaded scene", ("apps",)),
    ("somebody", "somebody whoever nobody", r"\b(?:somebody|someone|whoever|nobody)\b", "the caller, the solver, the renderer"),
    ("others", "", r"\b(?:for|to|by|from) others\b|^\W*others (?:may|see|read|look|can|must)\b", "the caller, the solver, the renderer"),
]

KEYWORDS = {"short"}  # of C
C_PIECES = re.compile(r"""(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<string>"(?:\\.|[^"\\\n])*")|(?P<name>[A-Za-z_]\w*)""", re.S)
MD_PIECES = re.compile(r"(?P<fence>^```.*?^```|^(?: {4}|\t)[^\n]*$)|(?P<span>`[^`\n]*`)|(?P<link>\]\([^)\n]*\))", re.S | re.M)


class Hit:
    def __init__(self, word, path, line, text):
        self.word, self.path, self.line, self.text = word, path, line, text


def in_scope(row, path):
    return len(row) < 5 or path.startswith(row[4])


def name_hits(name, path, line):
    if name in KEYWORDS:
        return
    parts = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower().split("_")
    for row in WORDS:
        if in_scope(row, path) and set(row[1].split()) & set(parts):
            yield Hit(row[0], path, line, name)


def prose_hits(text, path, first_line):
    # Comment marks and line breaks lie between the words of a phrase.
    flat = re.sub(r"(?m)^[ \t]*(?:///?<?|\*|\.\w+)", lambda mark: " " * len(mark.group()), text)
    flat = flat.replace("\n", " ")
    for row in WORDS:
        if not row[2] or not in_scope(row, path):
            continue
        for found in re.finditer(re.sub(r"(?<!\\) ", r"\\s+", row[2]), flat, re.I):
            around = " ".join(flat[max(0, found.start() - 40):found.end() + 40].split())
            yield Hit(row[0], path, first_line + text.count("\n", 0, found.start()), around)


def code_hits(text, path):
    comment, start, end = "", 0, -1  # comments on lines that follow one another are one text
    line_of = lambda at: text.count("\n", 0, at) + 1
    for piece in C_PIECES.finditer(text):
        if piece.lastgroup == "comment":
            joined = end >= 0 and text[end:piece.start()].strip() == "" and text.count("\n", end, piece.start()) == 1
            if not joined:
                yield from prose_hits(comment, path, start)
                comment, start = "", line_of(piece.start())
            comment += ("\n" if comment else "") + piece.group()
            end = piece.end()
        elif piece.lastgroup == "string":
            yield from prose_hits(piece.group()[1:-1], path, line_of(piece.start()))
        else:
            yield from name_hits(piece.group(), path, line_of(piece.start()))
    yield from prose_hits(comment, path, start)


def doc_hits(text, path):
    for piece in MD_PIECES.finditer(text):
        if piece.lastgroup == "link":
            continue
        for name in re.finditer(r"[A-Za-z]\w*_\w+", piece.group()):
            yield from name_hits(name.group(), path, text.count("\n", 0, piece.start() + name.start()) + 1)
    # A solver's name in a code span stays, so that "the `pipes` water" is seen; other code becomes blank.
    keep = lambda m: m.group() if re.fullmatch(r"`(?:pipes|layers|swe|river)`", m.group()) \
        else re.sub(r"[^\n]", "~" if m.lastgroup == "span" else " ", m.group())
    yield from prose_hits(MD_PIECES.sub(keep, text), path, 1)


def read_exceptions():
    rows = []
    for line in (ROOT / "tools/words.txt").read_text().split("\n"):
        if line.strip() and not line.startswith("#"):
            fields = [field.strip() for field in line.split("|")]
            if len(fields) != 4 or not fields[3]:
                sys.exit(f"tools/words.txt: a row has word | files | text | reason: {line}")
            rows.append(fields)
    return rows


def excused(hit, exceptions):
    return any(hit.word == word and fnmatch.fnmatch(hit.path, files) and (text == "*" or text.lower() in hit.text.lower())
               for word, files, text, _ in exceptions)


def files_of(arguments):
    for argument in arguments or FOLDERS:
        path = pathlib.Path(argument).resolve() if arguments else ROOT / argument
        if path.is_dir():
            yield from sorted(p for p in path.rglob("*") if p.suffix in CODE | PROSE)
        elif path.exists():
            yield path
        else:
            sys.exit(f"{argument} does not exist")


def main():
    arguments = [a for a in sys.argv[1:] if a != "-v"]
    exceptions = read_exceptions()
    hits, count = [], 0
    for path in files_of(arguments):
        name, text = path.relative_to(ROOT).as_posix(), path.read_text()
        count += 1
        found = doc_hits(text, name) if path.suffix in PROSE else code_hits(text, name)
        hits += [hit for hit in found if not excused(hit, exceptions)]
    if "-v" in sys.argv[1:]:
        for hit in sorted(hits, key=lambda h: (h.path, h.line)):
            print(f"{hit.path}:{hit.line}: {hit.word}: {hit.text}")
    say_instead = {row[0]: row[3] for row in WORDS}
    by_word = collections.defaultdict(collections.Counter)
    for hit in hits:
        by_word[hit.word][hit.path] += 1
    for word, where in sorted(by_word.items(), key=lambda item: -item[1].total()):
        print(f"{word} ({where.total()}): say {say_instead[word]}")
        for path, number in where.most_common():
            print(f"    {number:4} {path}")
    print(f"words: {count} files, {len(hits)} retired words" if hits else f"words: {count} files, ok")
    return bool(hits)


if __name__ == "__main__":
    sys.exit(main())
