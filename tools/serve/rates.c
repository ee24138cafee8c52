#include "config.h"
#include "tools/serve/rates.h"
#include "base/base.h"
#include <netinet/in.h>
#include <string.h>

uint64_t sd_address_number (const struct sockaddr *from) {
  const struct sockaddr_in6 *six = (const struct sockaddr_in6 *) from;
  uint8_t bytes[8] = { 0 };
  if (!from)
    return 0;
  /* One of IPv4 may come as one of IPv6, ::ffff:1.2.3.4, and these are alike in their first bits. */
  if (from->sa_family == AF_INET6 && IN6_IS_ADDR_V4MAPPED (&six->sin6_addr))
    memcpy (bytes, six->sin6_addr.s6_addr + 12, 4);
  else if (from->sa_family == AF_INET6)
    memcpy (bytes, six->sin6_addr.s6_addr, sizeof bytes);
  else if (from->sa_family == AF_INET)
    memcpy (bytes, &((const struct sockaddr_in *) from)->sin_addr.s_addr, 4);
  return sd_hash64 (bytes, sizeof bytes) | 1;
}

static double most (const sd_rates *r) {
  return (double) r->a_second + SD_RATE_MORE;
}

static double left_at (const sd_rates *r, const sd_rate *one, int64_t ns) {
  const double left = one->left + 1e-9 * (double) (ns - one->ns) * r->a_second;
  return left < most (r) ? left : most (r);
}

/* The lock is held. */
static sd_rate *find (sd_rates *r, uint64_t address, int64_t ns) {
  sd_rate *set = r->of[address / 2 % SD_RATE_SETS], *fullest = set;
  for (unsigned i = 0; i < SD_RATE_WAYS; i++) {
    if (set[i].address == address)
      return &set[i];
    if (!set[i].address || (fullest->address && left_at (r, &set[i], ns) > left_at (r, fullest, ns)))
      fullest = &set[i];
  }
  *fullest = (sd_rate){ address, ns, most (r) };
  return fullest;
}

bool sd_rates_allow (sd_rates *r, const struct sockaddr *from, int64_t ns) {
  if (!r->a_second || !from)
    return true;
  const uint64_t address = sd_address_number (from);
  pthread_mutex_lock (&r->lock);
  sd_rate *one = find (r, address, ns);
  one->left = left_at (r, one, ns);
  /* Threads may come with times in another order than they have read them in. */
  one->ns = ns > one->ns ? ns : one->ns;
  const bool allowed = one->left >= 1;
  if (allowed)
    one->left -= 1;
  pthread_mutex_unlock (&r->lock);
  return allowed;
}
