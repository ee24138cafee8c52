// Coding data of one's own, in C++ (C++11 or later):
//   c++ codec.cpp $(pkg-config --cflags --libs subdef) -o codec
//   ./codec FILE.sda
// The data are a curve with some noise. They are coded exactly, and again with a tolerance for each value;
// the file holds the second one.
#include <subdef/subdef.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

using Data = std::unique_ptr<sd_data, decltype (&sd_data_free)>;
using Coded = std::unique_ptr<sd_coded, decltype (&sd_coded_close)>;

static void check (int status, const char *text) {
  if (status != SD_CODED_OK)
    throw std::runtime_error (*text ? text : sd_coded_text (status));
}

// Values that may differ by `tolerance` from those given.
static Data near (const std::vector<int32_t> &value, int32_t tolerance) {
  char text[512];
  std::vector<int32_t> low (value), high (value);
  for (std::size_t i = 0; i < value.size (); i++) {
    low[i] -= tolerance;
    high[i] += tolerance;
  }
  sd_data_input input = sd_data_input ();
  input.value = value.data ();
  input.n = value.size ();
  input.low = low.data ();
  input.high = high.data ();
  sd_data *data = nullptr;
  check (sd_data_new (&input, &data, text, sizeof text), text);
  return Data (data, sd_data_free);
}

static Coded encode (const Data &data, const char *codec, const char *settings) {
  char text[512];
  sd_coded *coded = nullptr;
  check (sd_coded_encode (data.get (), codec, settings, &coded, text, sizeof text), text);
  return Coded (coded, sd_coded_close);
}

static std::string bytes_of (const Coded &coded) {
  std::size_t len = 0;
  const void *bytes = sd_coded_bytes (coded.get (), &len);
  return std::string (static_cast<const char *> (bytes), len);
}

static Coded open (const std::string &bytes) { // which must outlive what is opened
  char text[512];
  sd_coded *coded = nullptr;
  check (sd_coded_open (bytes.data (), bytes.size (), SD_CODED_CHECK, &coded, text, sizeof text), text);
  return Coded (coded, sd_coded_close);
}

int main (int argc, char **argv) try {
  const int32_t tolerance = 3;
  if (argc != 2)
    throw std::runtime_error ("usage: codec FILE.sda");
  std::vector<int32_t> value (20000);
  uint32_t noise = 1;
  for (std::size_t i = 0; i < value.size (); i++) {
    const int32_t x = static_cast<int32_t> (i % 4000) - 2000;
    noise = noise * 1664525 + 1013904223;
    value[i] = x * x / 20000 + static_cast<int32_t> (noise >> 30);
  }
  const Data exact = near (value, 0), data = near (value, tolerance);
  const std::size_t all = bytes_of (encode (exact, "trees", nullptr)).size ();
  const std::string bytes = bytes_of (encode (data, "trees", "initial=none"));
  std::ofstream file (argv[1], std::ios::binary);
  if (!file.write (bytes.data (), static_cast<std::streamsize> (bytes.size ())) || !file.flush ())
    throw std::runtime_error ("the file cannot be written");

  char text[512];
  std::vector<int32_t> got (value.size ());
  const Coded coded = open (bytes);
  check (sd_coded_read (coded.get (), 0, got.size (), got.data (), text, sizeof text), text);
  int32_t most = 0;
  for (std::size_t i = 0; i < got.size (); i++)
    most = std::abs (got[i] - value[i]) > most ? std::abs (got[i] - value[i]) : most;
  std::cout << value.size () << " values, at most " << most << " from those given\n";
  std::cout << (2 * bytes.size () < all ? "less" : "more") << " than half of the exact bytes\n";
  std::cerr << all << " bytes exactly, " << bytes.size () << " with a tolerance of " << tolerance << "\n";
} catch (const std::exception &e) {
  std::cerr << "codec: " << e.what () << "\n";
  return 1;
}
