"""Wide numbers in Python: each value that comes out lies within its bounds, and exactly the value where there are none."""
import random
import unittest

import subdef


class Wides(unittest.TestCase):
    def test_without_freedom(self):
        numbers = random.Random(1)
        for least, most in ((0, 0), (-5, 250), (0, 65535), (-2 ** 31, 2 ** 31 - 1), (0, 2 ** 32 - 1), (10 ** 6, 10 ** 6 + 3)):
            values = [numbers.randint(least, most) for _ in range(300)] + [least, most]
            wide = subdef.compress_wide(values, codec="store")
            self.assertEqual(wide.tolist(), values)
            self.assertEqual([wide[i] for i in (0, 5, -1)], [values[i] for i in (0, 5, -1)])
            self.assertEqual([int(v) for v in wide[10:20]], values[10:20])
            self.assertEqual(subdef.open_wide(wide.to_bytes()).tolist(), values)

    def test_bounds(self):
        numbers = random.Random(2)
        for width in (0, 1, 3, 200, 255, 256, 257, 511, 70000, 2 ** 24):
            values = [numbers.randint(-10 ** 6, 10 ** 8) for _ in range(400)]
            low = [v - numbers.randint(0, width) for v in values]
            high = [v + numbers.randint(0, width) for v in values]
            wide = subdef.compress_wide(values, low=low, high=high, codec="repair")
            self.assertTrue(all(a <= v <= b for a, v, b in zip(low, wide.tolist(), high)), width)
            if width >= 256:
                self.assertLess(wide.nbytes, subdef.compress_wide(values, codec="repair").nbytes)

    def test_masks_and_shapes(self):
        rows = [[100000 * i + j for j in range(5)] for i in range(7)]
        free = [[(i + j) % 3 == 0 for j in range(5)] for i in range(7)]
        wide = subdef.compress_wide(rows, free=free)
        self.assertEqual(wide.shape, (7, 5))
        for i, row in enumerate(wide.tolist()):
            self.assertTrue(all(f or v == w for f, v, w in zip(free[i], row, rows[i])))
        self.assertEqual(wide[2, 2], rows[2][2])

    def test_mistakes(self):
        for bad, more, error in (([1.5], {}, TypeError), ([], {}, (ValueError, TypeError)), ([2 ** 33], {}, ValueError),
                                 ([0, 2 ** 32 - 1, -1], {}, ValueError), ([5], {"low": [6]}, ValueError), ([5], {"low": [1, 2]}, ValueError),
                                 ([5], {"free": [1], "high": [9]}, ValueError), ([5], {"codec": "none"}, ValueError)):
            with self.assertRaises(error, msg=(bad, more)):
                subdef.compress_wide(bad, **more)
        for junk in (b"", b"PK junk", subdef.compress_wide([70000, 1]).to_bytes()[:-30]):
            self.assertRaises(subdef.Error, subdef.open_wide, junk)


unittest.main()
