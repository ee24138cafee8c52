"""Arrays and rows of sweeps in Python: arrays.py [SWEEP.db]."""
import array
import copy
import gc
import os
import pickle
import sys
import tempfile
import threading
import unittest

import subdef

STORE = sys.argv.pop() if len(sys.argv) > 1 and sys.argv[-1].endswith(".db") else None
try:
    import numpy
except ImportError:
    numpy = None


def flat(one):
    return one.tolist() if hasattr(one, "tolist") else list(one)


class Arrays(unittest.TestCase):
    def test_a_mask(self):
        free = [i * i % 7 < 2 for i in range(5000)]
        values = [i * 7919 % 251 if f else i // 100 for i, f in enumerate(free)]
        packed = subdef.compress(values, free=free)
        whole = subdef.compress(values)
        self.assertEqual(whole.tolist(), values)
        self.assertTrue(all(f or v == w for v, w, f in zip(values, packed.tolist(), free)))
        self.assertLess(packed.nbytes, whole.nbytes)
        self.assertEqual((len(packed), packed.shape, packed.ndim, packed.size, str(packed.dtype)),
                         (5000, (5000,), 1, 5000, "uint8"))
        self.assertEqual(packed.codec, "repair")
        self.assertIn("initial=", packed.settings)
        self.assertEqual(len(packed.to_bytes()), packed.nbytes)

    def test_sets_and_bounds(self):
        packed = subdef.compress([5, 1, 2, 9], sets=[{5, 1}, None, {1, 2}, [9]])
        self.assertIn(packed[0], (5, 1))
        self.assertIn(packed[2], (1, 2))
        self.assertEqual(packed[3], 9)
        packed = subdef.compress([5, 1, 2, 9], sets=[{5, 1, 2}, {9}], which=[0, 0, 0, 1])
        self.assertEqual((packed[3], len(set(packed.tolist()[:3]))), (9, 1))
        values, near = [100, 101, 99, 100, 250], 3
        packed = subdef.compress(values, low=[v - near for v in values], high=[v + near for v in values])
        self.assertTrue(all(abs(v - w) <= near for v, w in zip(values, packed)))
        self.assertEqual(len(set(packed.tolist()[:4])), 1)

    def test_kinds_of_values(self):
        for values in ([1, 2, 3], (1, 2, 3), bytes([1, 2, 3]), bytearray([1, 2, 3]), array.array("h", [1, 2, 3]),
                       memoryview(array.array("q", [1, 2, 3])), range(1, 4)):
            self.assertEqual(subdef.compress(values, codec="store").tolist(), [1, 2, 3])
        for values, dtype in (([-1, 5], "int8"), ([-129, 5], "int16"), ([300, 5], "uint16"), ([65535], "uint16")):
            self.assertEqual(str(subdef.compress(values).dtype), dtype)
        self.assertEqual(str(subdef.compress([1], dtype="int16").dtype), "int16")

    def test_indexes(self):
        rows = [[10 * i + j for j in range(4)] for i in range(6)]
        for packed in (subdef.compress(rows, codec="store"), subdef.compress(rows, codec="repair")):
            self.assertEqual((packed.shape, packed.tolist()), ((6, 4), rows))
            self.assertEqual((packed[2, 3], packed[-1, -1], packed[0, 0]), (23, 53, 0))
            self.assertEqual(flat(packed[4]), rows[4])
            self.assertEqual([flat(row) for row in packed], rows)
            for part in (slice(1, 3), slice(None), slice(5, 1), slice(0, 6, 2), slice(None, None, -1), slice(-2, None)):
                found = flat(packed[part])
                wanted = rows[part]
                self.assertEqual(found, wanted if numpy else sum(wanted, []))
            for bad in (6, -7, (0, 4), (0, 0, 0)):
                with self.assertRaises(IndexError):
                    packed[bad]
            with self.assertRaises(TypeError):
                packed[1.0]
        line = subdef.compress(list(range(100)))
        for part in (slice(3, 50), slice(3, 50, 7), slice(None, None, -1), slice(50, 3), slice(98, 200)):
            self.assertEqual(flat(line[part]), list(range(100))[part])

    def test_copies(self):
        packed = subdef.compress([1, 2, 3])
        for other in (copy.copy(packed), copy.deepcopy(packed), pickle.loads(pickle.dumps(packed))):
            self.assertEqual(other.tolist(), [1, 2, 3])
        other = copy.copy(packed)
        del packed
        gc.collect()
        self.assertEqual(other.tolist(), [1, 2, 3])
        image = bytearray(other.to_bytes())
        again = subdef.open_compressed(memoryview(image))
        image[:] = bytes(len(image))
        self.assertEqual(again.tolist(), [1, 2, 3])

    def test_the_same_with_and_without_numpy(self):
        for values in (iter([1, 2]), {1, 2}, [array.array("h", [1]), array.array("h", [2])], [range(1, 2), range(2, 3)]):
            self.assertEqual(sorted(flat(subdef.compress(values, codec="store").read(0, 2))), [1, 2])
        for bad, error in ((5, TypeError), ("12", TypeError), ([], ValueError), ([[]], ValueError), ([1.0], TypeError)):
            with self.assertRaises(error, msg=bad):
                subdef.compress(bad)
        for more, error in (({"sets": [{1.5}, {2}]}, TypeError), ({"sets": ["12", {2}]}, TypeError), ({"which": [0, 0]}, ValueError),
                            ({"free": "ab"}, TypeError), ({"codec": None}, ValueError), ({"codec": "store\0"}, ValueError)):
            with self.assertRaises(error, msg=more):
                subdef.compress([1, 2], **more)
        self.assertRaises(TypeError, subdef.open_compressed, 0)

    def test_mistakes(self):
        for bad, error in (((1.5,), TypeError), (([70000],), ValueError), (([],), (ValueError, TypeError)),
                           (([[1], [2, 3]],), ValueError)):
            with self.assertRaises(error):
                subdef.compress(*bad)
        for more in ({"codec": "none"}, {"settings": "block=1"}, {"free": [1]}, {"sets": [{2}]}, {"dtype": "float32"},
                     {"free": [0, 0], "low": [1, 1]}, {"low": [3, 3]}, {"sets": [{1}, {9}]}, {"dtype": "int8", "low": [1, 2, 3]}):
            with self.assertRaises(ValueError, msg=more):
                subdef.compress([1, 2], **more)
        with self.assertRaisesRegex(ValueError, "slot 1"):
            subdef.compress([1, 2], high=[5, 1])
        for junk in (b"", b"junk", subdef.compress([1, 2]).to_bytes()[:-3]):
            with self.assertRaises(subdef.Error):
                subdef.open_compressed(junk)
        self.assertRaises(TypeError, subdef.Compressed)

    def test_damage(self):
        image = bytearray(subdef.compress([(i * 7919) % 251 for i in range(3000)], codec="store").to_bytes())
        image[-5] ^= 1
        with self.assertRaises(subdef.Error):
            subdef.open_compressed(bytes(image)).tolist()

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "one.sda")
            packed = subdef.compress([[1, 2], [3, 4]])
            packed.save(path)
            again = subdef.open_compressed(path)
            self.assertEqual((again.tolist(), again.to_bytes(), again.settings), ([[1, 2], [3, 4]], packed.to_bytes(), ""))
            self.assertEqual(os.listdir(folder), ["one.sda"])
            self.assertRaises(FileNotFoundError, subdef.open_compressed, os.path.join(folder, "none"))
            self.assertRaises(OSError, packed.save, os.path.join(folder, "none", "x.sda"))

    def test_codecs_and_threads(self):
        names = [name for name, about in subdef.codecs() if about]
        self.assertTrue({"store", "repair", "obdd", "trees", "huffman"} <= set(names))
        values = [(i // 50) % 5 for i in range(4096)]
        for name in names:
            self.assertEqual(subdef.compress(values, codec=name).tolist(), values, name)
        packed, wrong = subdef.compress(values), []

        def read():
            wrong.extend(i for i in range(4096) if packed[i] != values[i])
        threads = [threading.Thread(target=read) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    @unittest.skipUnless(numpy, "no numpy")
    def test_numpy(self):
        values = numpy.arange(60, dtype=numpy.int64).reshape(3, 4, 5)
        packed = subdef.compress(values, free=values % 7 == 0)
        self.assertTrue(((numpy.asarray(packed) == values) | (values % 7 == 0)).all())
        exact = subdef.compress(values.transpose())
        self.assertTrue((numpy.asarray(exact) == values.transpose()).all())
        self.assertTrue((exact[1:4, 2] == values.transpose()[1:4, 2]).all())
        self.assertEqual((exact[0].shape, exact[1, 2].dtype, exact.dtype), ((4, 3), numpy.uint8, numpy.uint8))
        self.assertRaises(TypeError, subdef.compress, numpy.ones(3))
        self.assertRaises(ValueError, subdef.compress, numpy.array([2 ** 40]))

    @unittest.skipUnless(STORE, "no store")
    def test_rows_of_a_sweep(self):
        rows = subdef.sweep_rows(STORE)
        self.assertTrue(rows)
        self.assertTrue(all(row["bytes"] > 0 and row["codec"] and row["run_version"].startswith("subdef ") for row in rows))
        self.assertNotIn("key", rows[0])
        with tempfile.NamedTemporaryFile(suffix=".db") as file:
            file.write(b"no store" * 100)
            file.flush()
            self.assertRaises(ValueError, subdef.sweep_rows, file.name)
        self.assertRaises(FileNotFoundError, subdef.sweep_rows, STORE + ".none")
        try:
            import pandas
        except ImportError:
            self.assertRaises(ImportError, subdef.sweep_frame, STORE)
        else:
            self.assertEqual(len(subdef.sweep_frame(STORE)), len(rows))
            del pandas


unittest.main()
