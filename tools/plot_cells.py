#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""plot_cells.py [RILL] - draws docs/images/layers-cells.svg, after Dagenais Figs. 16 and 22: the longest stable
substep, and the time that a frame takes, over the cells a side of one domain. RILL is the command; without it a table
of `rill bench layers-cells --json` is read from the standard input."""

import json
import math
import pathlib
import subprocess
import sys

TO = pathlib.Path(__file__).resolve().parent.parent / "docs/images/layers-cells.svg"
WIDTH, HEIGHT, LEFT, TOP, BOTTOM, GAP = 420, 300, 64, 40, 52, 30
COLOURS = ["#0072b2", "#d55e00"]


def ticks(low, high):
    """1, 2 and 5 times powers of ten between two numbers."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    return [m * 10.0**p for p in powers for m in (1, 2, 5) if low <= m * 10.0**p <= high]


class Panel:
    """A plot with logarithmic axes, `left` units from the picture's left edge."""

    def __init__(self, left, title, x, ys):
        self.left, self.title = left + LEFT, title
        self.x0, self.x1 = min(x) / 1.2, max(x) * 1.2
        self.y0, self.y1 = min(ys) / 1.4, max(ys) * 1.4
        self.width, self.height = WIDTH - LEFT - 16, HEIGHT - TOP - BOTTOM

    def place(self, x, y):
        part_x = math.log(x / self.x0) / math.log(self.x1 / self.x0)
        part_y = math.log(y / self.y0) / math.log(self.y1 / self.y0)
        return self.left + part_x * self.width, TOP + (1 - part_y) * self.height

    def axes(self, x):
        right, bottom = self.left + self.width, TOP + self.height
        out = [f'<text x="{self.left}" y="{TOP - 22}">{self.title}</text>']
        for value in x:
            at = self.place(value, self.y0)[0]
            out.append(f'<path class="grid" d="M{at:.1f} {TOP}V{bottom}"/>'
                       f'<text x="{at:.1f}" y="{bottom + 18}" text-anchor="middle">{value}</text>')
        for value in ticks(self.y0, self.y1):
            at = self.place(self.x0, value)[1]
            out.append(f'<path class="grid" d="M{self.left} {at:.1f}H{right}"/>'
                       f'<text x="{self.left - 8}" y="{at + 4:.1f}" text-anchor="end">{value:g}</text>')
        out.append(f'<path d="M{self.left} {TOP}V{bottom}H{right}" fill="none" stroke="#444"/>'
                   f'<text x="{(self.left + right) / 2:.1f}" y="{bottom + 40}" text-anchor="middle">'
                   'cells a side</text>')
        return out

    def series(self, x, y, colour, dash=""):
        points = [self.place(a, b) for a, b in zip(x, y)]
        path = "L".join(f"{a:.1f} {b:.1f}" for a, b in points)
        style = f' stroke-dasharray="{dash}"' if dash else ""
        out = [f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="1.4"{style}/>']
        if not dash:
            out += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3.4" fill="#fff" stroke="{colour}" stroke-width="1.4"/>'
                    for a, b in points]
        return out

    def legend(self, entries):
        out, x = [], self.left
        for name, colour, dash in entries:
            style = f' stroke-dasharray="{dash}"' if dash else ""
            out.append(f'<path d="M{x:.0f} {TOP - 9}h22" stroke="{colour}" stroke-width="1.4"{style}/>'
                       f'<text x="{x + 27:.0f}" y="{TOP - 5}">{name}</text>')
            x += 40 + 6.6 * len(name)
        return out


def draw(rows):
    threads = max(row["threads"] for row in rows)
    rows = [row for row in rows if row["threads"] == threads]
    water = sorted((r for r in rows if "substep_ms_most" in r), key=lambda r: int(r["grid"].split("x")[0]))
    if not water:
        sys.exit("plot_cells.py: the table has no row layers-cells-...")
    surface = {row["grid"]: row["ms_per_frame"] for row in rows if row["name"].endswith("-surface")}
    n = [int(row["grid"].split("x")[0]) for row in water]
    substeps = [row["substep_ms_most"] for row in water]
    frames = [row["ms_per_frame"] for row in water]
    both = [row["ms_per_frame"] + surface[row["grid"]] for row in water]
    middle = len(n) // 2
    inverse = [substeps[middle] * n[middle] / k for k in n]
    square = [both[middle] * (k / n[middle])**2 for k in n]

    left = Panel(0, "Longest substep that is stable all the time, ms", n, substeps + inverse)
    right = Panel(WIDTH + GAP, f"A frame on {threads} threads, ms", n, frames + both + square)
    out = left.axes(n) + left.series(n, inverse, "#888", "5 4") + left.series(n, substeps, COLOURS[0])
    out += left.legend([("measured", COLOURS[0], ""), ("as 1 / N", "#888", "5 4")])
    out += right.axes(n) + right.series(n, square, "#888", "5 4")
    out += right.series(n, frames, COLOURS[0]) + right.series(n, both, COLOURS[1])
    out += right.legend([("simulation", COLOURS[0], ""), ("and surface", COLOURS[1], ""), ("as N²", "#888", "5 4")])
    TO.write_text(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {2 * WIDTH + GAP} {HEIGHT}" role="img" '
                  'font-family="Helvetica, Arial, sans-serif" font-size="12" fill="#222">\n'
                  '<style>.grid{stroke:#e4e4e4}</style>\n<rect width="100%" height="100%" fill="#fff"/>\n'
                  + "\n".join(out) + "\n</svg>\n", encoding="utf-8")


def main():
    if len(sys.argv) > 1:
        text = subprocess.run([sys.argv[1], "bench", "layers-cells", "--json"], check=True, stdout=subprocess.PIPE,
                              text=True).stdout
    else:
        text = sys.stdin.read()
    draw(json.loads(text))


if __name__ == "__main__":
    main()
