#define SD_COMMIT "27c3286fef76"
#define SD_FLAGS "-std=gnu11 -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wwrite-strings -Wformat-security -fvisibility=hidden -fopenmp -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer -g -O3"
#define SD_CONFIGURE "--enable-sanitizers"
