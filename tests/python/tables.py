"""Tables in Python: tables.py FOLDER SYZYGY: KQvK.wdl.sdt and KQvK.dtm.sdt; KQvK.rtbw and KQvK.rtbz among others."""
import copy
import os
import pickle
import shutil
import sys
import tempfile
import threading
import unittest
import unittest.mock

import subdef

SYZYGY = sys.argv.pop()
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

    def test_the_50_move_rule(self):
        with subdef.open_tablebase(SYZYGY) as tables:
            for fen, wdl, dtz in ((WON, 2, 13), ("8/8/8/8/8/1k6/1q6/K7 w - - 0 1", -2, -1),
                                  ("8/8/8/8/8/3k4/7R/K7 b - - 75 60", -2, -32), ("8/8/8/8/2k5/8/2P5/2K5 w - - 10 60", 0, 0)):
                for board in (fen, Board(fen)):
                    self.assertEqual((tables.probe_wdl50(board), tables.probe_dtz(board)), (wdl, dtz))
                    self.assertEqual((tables.get_wdl50(board), tables.get_dtz(board)), (wdl, dtz))
                self.assertEqual(tables.probe_wdl(fen), (wdl > 0) - (wdl < 0))
            best = tables.rank_moves(WON)[0]
            self.assertEqual((best.uci, best.rank, best.wdl, best.dtz), ("h1h4", 1000, 2, 13))
            self.assertEqual(tables.rank_moves(WON.replace("0 1", "90 60"))[0][1:], (897, 1, 13))
            self.assertLess(tables.rank_moves(WON, repeated=True)[0].rank, 1000)
            self.assertRaises(KeyError, tables.probe_dtm, WON)
            self.assertIsNone(tables.get_dtm(WON))
        self.assertRaises(subdef.MissingTableError, self.tables.probe_dtz, WON)
        self.assertRaises(subdef.MissingTableError, self.tables.rank_moves, WON)
        self.assertEqual(self.tables.get_dtz(WON, 5), 5)
        with subdef.open_tablebase(FOLDER + ":" + SYZYGY, subdef.SYZYGY_FIRST) as tables:
            self.assertEqual((tables.probe_dtm(WON), tables.probe_dtz(WON), tables.men), (13, 13, 4))

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

    def test_copies(self):
        self.assertRaises(TypeError, copy.copy, self.tables)
        self.assertRaises(TypeError, copy.deepcopy, self.tables)
        self.assertRaises(TypeError, pickle.dumps, self.tables)

    def test_wrong_flags(self):
        for flags in (16, -1, 2 ** 32, 2 ** 40, -2 ** 32):
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
