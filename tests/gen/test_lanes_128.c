/* The tests of test_lanes.c, for what each x86-64 processor has. */
#ifdef __SSE2__
#define SD_LANES_WAY 128
#endif
#include "tests/gen/test_lanes.c"
