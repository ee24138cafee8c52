"""The Python module: tables.py FOLDER, which holds KQvK.wdl.sdt and KQvK.dtm.sdt."""
import os
import shutil
import sys
import tempfile
import threading
import unittest
import unittest.mock

import subdef

FOLDER = sys.argv.pop()
WON = "8/8/8/8/8/3k4/8/K6Q w - - 0 1"


class Board:
    def __init__(self, fen):
        self._fen = fen

    def fen(self):
        return self._fen


class Tests(unittest.TestCase):
    def setUp(self):
        self.tables = subdef.open_tablebase(FOLDER)

    def tearDown(self):
        self.tables.close()

    def test_values_of_texts_and_boards(self):
        for fen, wdl, dtm in ((WON, 1, 13), (WON.replace("K6Q", "k6q").replace("3k4", "3K4"), -1, None),
                              ("8/8/8/8/8/1k6/1q6/K7 w - - 0 1", -1, 0), ("8/8/8/8/8/1q6/8/K6k w - - 0 1", 0, 0),
                              ("8/8/8/8/8/3k4/8/K7 w - -", 0, 0)):
            for board in (fen, Board(fen)):
                self.assertEqual(self.tables.probe_wdl(board), wdl)
                self.assertEqual(self.tables.get_wdl(board), wdl)
                value = self.tables.probe_dtm(board)
                self.assertTrue(value == dtm if dtm is not None else value < 0)

    def test_all_moves(self):
        moves = self.tables.probe_root(WON)
        self.assertEqual(moves[0], ("h1h4", 1, 13))
        self.assertEqual(self.tables.probe_dtm(WON), moves[0].dtm)
        self.assertTrue(all(a.wdl > b.wdl or a.wdl == b.wdl and a.dtm <= b.dtm for a, b in zip(moves, moves[1:])))
        self.assertEqual(self.tables.probe_root("8/8/8/8/8/1k6/1q6/K7 w - - 0 1"), [])

    def test_failures(self):
        with self.assertRaises(subdef.MissingTableError) as caught:
            self.tables.probe_wdl("8/8/8/8/8/3k4/8/K6R w - - 0 1")
        self.assertIsInstance(caught.exception, KeyError)
        self.assertIn("KRvK", str(caught.exception))
        self.assertIsNone(self.tables.get_dtm("8/8/8/8/8/3k4/8/K6R w - - 0 1"))
        self.assertRaises(subdef.MissingTableError, self.tables.probe_wdl,
                          "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1")
        self.assertRaises(KeyError, self.tables.probe_wdl, "4k3/8/8/8/8/8/8/4K2Q w K - 0 1")
        self.assertRaises(ValueError, self.tables.probe_wdl, "what?")
        self.assertRaises(ValueError, self.tables.probe_wdl, WON + "\0")
        self.assertRaises(ValueError, subdef.open_tablebase, FOLDER + "\0none")
        self.assertRaises(FileNotFoundError, subdef.open_tablebase, FOLDER + "/none")
        self.tables.close()
        self.assertRaises(ValueError, self.tables.probe_wdl, WON)

    def test_adding_and_with(self):
        with subdef.Tablebase() as tables:
            self.assertEqual((len(tables), tables.men, tables.skipped), (0, 0, []))
            self.assertEqual(tables.add_directory(FOLDER), 2)
            self.assertEqual((tables.men, tables.probe_dtm(WON)), (3, 13))
            self.assertEqual(tables.add_directory(FOLDER), 2)  # the same tables

    def test_damage(self):
        with tempfile.TemporaryDirectory() as folder:
            path = shutil.copy(os.path.join(FOLDER, "KQvK.wdl.sdt"), folder)
            with open(path, "r+b") as file:
                file.seek(-20, os.SEEK_END)
                file.write(b"damage")
            with self.assertRaisesRegex(subdef.TablebaseError, "KQvK.wdl.sdt"):  # there is no other table
                subdef.open_tablebase(folder, subdef.ALL)
            shutil.copy(os.path.join(FOLDER, "KQvK.dtm.sdt"), folder)
            with subdef.open_tablebase(folder, subdef.ALL) as tables:
                self.assertEqual((len(tables), len(tables.skipped)), (1, 1))
                self.assertRaises(subdef.TablebaseError, tables.probe_wdl, WON)

    def test_wrong_flags(self):
        for flags in (8, -1, 2 ** 32, 2 ** 40, -2 ** 32):
            with self.assertRaises(ValueError, msg=flags):
                subdef.open_tablebase(FOLDER, flags)
        self.assertRaises(TypeError, subdef.open_tablebase, FOLDER, 1.5)

    def test_an_object_that_was_not_opened(self):
        tables = subdef.Tablebase.__new__(subdef.Tablebase)
        self.assertRaises(ValueError, tables.probe_wdl, WON)
        with unittest.mock.patch("sys.unraisablehook") as hook:
            del tables
        hook.assert_not_called()

    def test_threads(self):
        found = []
        threads = [threading.Thread(target=lambda: found.append(self.tables.probe_dtm(WON))) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, [13] * 8)


unittest.main()
