#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The commands `rill list`, `info`, `bench` and `validate` from outside: command_info.py BINARY [unittest arguments]."""

import json
import os
import struct
import sys
import unittest

import command_run
from command_run import Case, POND


setUpModule = command_run.setUpModule


class List(Case):
    def test_a_line_for_each_scene_with_its_description(self):
        names = self.done("list", "--names").split()
        lines = self.done("list").splitlines()
        self.assertGreater(len(names), 0)
        self.assertEqual(names, sorted(names))
        self.assertEqual([line.split()[0] for line in lines], names)
        column = max(map(len, names)) + 2
        for name, line in zip(names, lines):
            self.assertEqual(line[:column].strip(), name)
            self.assertRegex(line[column:], r"\A\S.*\S\Z")


class Info(Case):
    def both(self, *arguments):
        """The facts for people, and as JSON."""
        return self.done("info", *arguments), json.loads(self.done("info", "--json", *arguments))

    def test_scenes(self):
        text, facts = self.both(self.write("pond.toml", POND))
        for word in ("Pond", "40 x 24 cells of 0.5 m", "0.5 s in frames of 0.05 s", "pipes", "MB"):
            self.assertIn(word, text)
        self.assertEqual((facts["kind"], facts["name"], facts["nx"], facts["ny"]),
                         ("scene", "pond", 40, 24))
        self.assertEqual((facts["outputs"], facts["outputs_last"]), (["map"], ["ply", "gltf"]))
        self.assertGreater(facts["memory"], 40 * 24 * 4)
        name = self.done("list", "--names").split()[0]
        self.assertEqual(self.both(name)[1]["name"], name)

    def test_rasters(self):
        path = self.write("dem.asc", "ncols 4\nnrows 5\nxllcorner 100\nyllcorner 200\ncellsize 2\n"
                          "NODATA_value -9999\n" + "1 2 3 4\n" * 4 + "-9999 2 3 9\n")
        text, facts = self.both(path)
        self.assertIn("4 x 5 cells of 2 m", text)
        self.assertIn("1 cells", text)
        self.assertEqual((facts["kind"], facts["nx"], facts["ny"], facts["cell_size"]),
                         ("raster", 4, 5, 2))
        self.assertEqual((facts["min"], facts["max"], facts["no_data"]), (1, 9, 1))
        self.assertEqual(facts["georeference"]["transform"], [100, 2, 0, 210, 0, -2])

    def test_meshes_that_a_run_wrote(self):
        self.done("run", self.write("pond.toml", POND), "-o", "out")
        ply = self.both("out/surface_0003.ply")[1]
        glb = self.both("out/surface_0003.glb")[1]
        self.assertEqual((ply["kind"], glb["kind"]), ("mesh", "mesh"))
        for key in ("vertices", "triangles"):
            self.assertEqual(ply[key], glb[key])
        for key in ("min", "max"):  # glTF has them as text of nine digits
            for one, other in zip(ply[key], glb[key]):
                self.assertAlmostEqual(one, other, places=6)
        self.assertGreater(ply["triangles"], 100)
        self.assertTrue(0 <= ply["min"][0] < 1 and 19 < ply["max"][0] <= 20)
        self.assertEqual(ply["attributes"], "x y z nx ny nz velocity_x velocity_y opacity depth"
                         .split())
        self.assertEqual(sorted(glb["attributes"]),
                         ["COLOR_0", "NORMAL", "POSITION", "_DEPTH", "_OPACITY", "_VELOCITY"])
        self.assertTrue(ply["maker"].startswith("rill ") and glb["maker"].startswith("rill "))

    def test_meshes_of_others(self):
        header = ("ply\nformat %s 1.0\ncomment hand made\nelement vertex 4\nproperty double x\n"
                  "property float y\nproperty short z\nproperty uchar red\nelement face 1\n"
                  "property list uchar int vertex_index\nend_header\n")
        corners = [(0, 0, -5, 1), (2, 0, 0, 2), (2, 3, 7, 3), (0, 3, 0, 255)]
        text = "".join("%g %g %d %d\n" % corner for corner in corners) + "4 0 1 2 3\n"
        files = [self.write("text.ply", header % "ascii" + text)]
        for order, name in (("<", "binary_little_endian"), (">", "binary_big_endian")):
            body = b"".join(struct.pack(order + "dfhB", *corner) for corner in corners)
            body += struct.pack(order + "B4i", 4, 0, 1, 2, 3)
            files.append(self.write(name + ".ply", (header % name).encode() + body))
        for path in files:
            facts = self.both(path)[1]
            self.assertEqual((facts["vertices"], facts["triangles"]), (4, 2))
            self.assertEqual((facts["min"], facts["max"]), ([0, 0, -5], [2, 3, 7]))
            self.assertEqual(facts["attributes"], ["x", "y", "z", "red"])

    def test_broken_meshes_are_refused(self):
        self.done("run", self.write("pond.toml", POND), "-o", "out", "--set",
                  'output.kinds=["ply", "gltf"]', "--time", "0")
        for name in ("surface_0000.ply", "surface_0000.glb"):
            whole = (self.folder / "out" / name).read_bytes()
            for size in (5, 19, 60, 300, 900):
                self.assertIn("cut", self.refused("info", self.write("cut", whole[:size])))
        ply = (self.folder / "out/surface_0000.ply").read_bytes()
        self.assertIn("face", self.refused("info", self.write("cut", ply[:-1])))
        self.refused("info", self.write("x", "ply\nformat ascii 1.0\nelement vertex -1\n"))
        self.refused("info", self.write("x", "ply\nproperty float x\n"))
        self.refused("info", self.write("x", "ply\nformat ascii 1.0\nelement v 9\nproperty float x"
                                             "\nend_header\n1 2 3"))
        for text in (b"[" * 5000, b'{"meshes": [{"primitives": [{', b'{"a": "\\', b'{"a" 1}'):
            head = struct.pack("<4sIII4s", b"glTF", 2, 20 + len(text), len(text), b"JSON")
            self.assertIn("not JSON", self.refused("info", self.write("x.glb", head + text)))

    def test_fields(self):
        head = ("NRRD0004\ntype: short\ndimension: 3\nspace: right-anterior-superior\nsizes: 2 3 4\n"
                "space directions: (0.5,0,0) (0,0,2) (0,-1,0)\nspace origin: (1,2,3)\n"
                'space units: "mm" "mm" "mm"\nendian: big\nencoding: %s\n\n')
        values = struct.pack(">24h", *range(-4, 20))
        path = self.write("scan.nrrd", (head % "raw").encode() + values)
        text, facts = self.both(path)
        for word in ("2 x 3 x 4 nodes of int16", "0.5 x 2 x 1 mm", "-4 to 19", "right-anterior"):
            self.assertIn(word, text)
        self.assertEqual((facts["kind"], facts["nx"], facts["ny"], facts["nz"], facts["type"]),
                         ("field", 2, 3, 4, "int16"))
        self.assertEqual((facts["spacing"], facts["origin"]), ([0.5, 2, 1], [1, 2, 3]))
        self.assertEqual(facts["axes"], [[1, 0, 0], [0, 0, 1], [0, -1, 0]])
        self.assertEqual((facts["min"], facts["max"], facts["mean"]), (-4, 19, 7.5))
        self.assertEqual((facts["unit"], facts["not_finite"]), ("mm", 0))
        self.assertIn("only raw is read", self.refused("info", self.write("z.nrrd", head % "gzip")))
        self.assertIn("cut short", self.refused("info", self.write("c.nrrd", head % "raw")))

    def test_an_odd_glb_is_read(self):
        text = (b'{"asset": {"generator": "M\\u00fcll\\n"}, "meshes": [{"primitives": [{"attributes":'
                b' {"POSITION": 7}, "mode": 5}, {"attributes": {"POSITION": 0}, "mode": 5}, 3]}, 1],'
                b' "accessors": [{"count": 10, "min": [0, 1], "max": [1, 2, 3]}]}  ')
        head = struct.pack("<4sIII4s", b"glTF", 2, 20 + len(text), len(text), b"JSON")
        facts = self.both(self.write("x.glb", head + text))[1]
        self.assertEqual((facts["vertices"], facts["triangles"], facts["min"]), (10, 8, None))
        self.assertEqual(facts["maker"], "M\u00fcll\n")

    def test_what_is_of_no_known_kind_is_refused(self):
        self.assertIn("x.bin", self.refused("info", self.write("x.bin", b"\x01\x02" * 100)))
        self.assertIn("empty", self.refused("info", self.write("empty", b"")))
        self.assertIn("is a folder", self.refused("info", str(self.folder)))
        self.assertIn("no file", self.refused("info", "no-such-file"))
        name = self.done("list", "--names").split()[0]
        self.assertIn(f'did you mean "{name}"?', self.refused("info", name + "x"))


class Measures(Case):
    def test_unknown_rows_are_refused(self):
        self.refused("bench", "no-such-row")
        self.refused("validate", "no-such-row")

    def test_pictures_are_measured_part_by_part(self):
        result = self.rill("bench", "render-bowl", "--json")
        if result.returncode == 2 or "no OpenGL here" in result.stderr:
            self.skipTest("nothing can be drawn here")
        self.assertEqual(result.returncode, 0, result.stderr)
        (row,) = json.loads(result.stdout)
        self.assertEqual((row["name"], row["grid"], row["size"], row["backend"]),
                         ("render-bowl-360p", "256x256", "640x360", "opengl"))
        self.assertEqual((row["paper"], row["paper_ms"], row["layers"]), (None, None, 1))
        for key in ("threads", "steps", "ms_per_step", "ms_per_frame", "mcell_per_s",
                    "bytes_per_cell", "roofline_fraction", "fps", "ms_upload", "ms_flow",
                    "ms_ground", "ms_water", "ms_finish", "ms_calls", "ms_still", "triangles",
                    "bytes"):
            self.assertGreater(row[key], 0, key)
        self.assertTrue(row["device"])


def main():
    if len(sys.argv) < 2 or not os.access(sys.argv[1], os.X_OK):
        sys.exit("usage: command_info.py BINARY [unittest arguments]")
    command_run.BINARY = os.path.abspath(sys.argv.pop(1))
    unittest.main()


if __name__ == "__main__":
    main()
