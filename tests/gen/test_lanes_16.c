/* The tests of test_lanes.c, for what any processor can: one by one. */
#define SD_LANES_WAY 16
#include "tests/gen/test_lanes.c"
