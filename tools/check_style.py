#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the style of every tracked source file: clang-format 14, line ends, file length.

With --fix the formatter rewrites the files instead of complaining.
"""

import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TEXT = {".c", ".h", ".cu", ".cuh", ".cpp", ".py", ".cmake", ".toml", ".md", ".txt", ".json", ".sh",
        ".1"}
CODE = {".c", ".h", ".cu", ".cuh", ".cpp"}
LONGEST_FILE = 700


def tracked():
    names = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"],
                           cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")
    return [ROOT / name for name in names if name and (ROOT / name).is_file()]


def check_text(path):
    data = path.read_bytes()
    where = path.relative_to(ROOT)
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return [f"{where}: is not UTF-8"]
    mistakes = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.rstrip(" \t\r") != line:
            mistakes.append(f"{where}:{number}: white space at the end of the line")
        if "\t" in line and path.suffix in CODE | {".py", ".cmake", ".toml"}:
            mistakes.append(f"{where}:{number}: a tab")
    if text and not text.endswith("\n"):
        mistakes.append(f"{where}: no line break at the end")
    if path.suffix in CODE and text.count("\n") > LONGEST_FILE:
        mistakes.append(f"{where}: {text.count(chr(10))} lines, more than {LONGEST_FILE}")
    if path.suffix in CODE and not text.startswith("// SPDX-License-Identifier: MIT\n"):
        mistakes.append(f"{where}: does not begin with its licence line")
    return mistakes


def main():
    fix = "--fix" in sys.argv[1:]
    files = tracked()
    mistakes = []
    for path in files:
        if path.suffix in TEXT:
            mistakes += check_text(path)
    code = [str(path) for path in files if path.suffix in CODE]
    formatter = shutil.which("clang-format-14")
    if formatter is None:
        mistakes.append("clang-format-14 is missing: run scripts/setup")
    elif fix:
        subprocess.run([formatter, "-i", *code], check=True)
    else:
        run = subprocess.run([formatter, "--dry-run", "--Werror", *code], capture_output=True,
                             text=True, check=False)
        mistakes += [line for line in run.stderr.split("\n") if "error:" in line]
    print("\n".join(mistakes) or f"style: {len(files)} files, ok")
    return bool(mistakes)


if __name__ == "__main__":
    sys.exit(main())
