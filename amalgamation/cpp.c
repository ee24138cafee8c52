/* As C++ memory becomes whatever points to it, as it does in C. */
#ifdef __cplusplus
#pragma GCC diagnostic ignored "-Wmissing-field-initializers" /* the others are 0 */
#pragma GCC diagnostic ignored "-Wattributes"                 /* types are hidden, too, but for sd_prober */
#ifdef __clang__
#pragma GCC diagnostic ignored "-Wmissing-braces"
#pragma GCC diagnostic ignored "-Wc99-designator"
#endif
struct sd_memory {
  void *at;
  sd_memory (void *p) : at (p) {
  }
  template <typename T> operator T *() const {
    return (T *) at;
  }
};
#define malloc(n) sd_memory (malloc (n))
#define calloc(n, size) sd_memory (calloc (n, size))
#define realloc(p, n) sd_memory (realloc (p, n))
#define _Static_assert static_assert
#else
typedef void *sd_memory;
#endif
