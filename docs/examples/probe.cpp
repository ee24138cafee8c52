/* WDL and DTM of a position, in C++ (C++11 or later):
 *   c++ probe.cpp $(pkg-config --cflags --libs subdef) -o probe
 *   ./probe FOLDER[:FOLDER...] 'FEN' */
#include <probe/probe.h>

#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>

using Tables = std::unique_ptr<sd_tables, decltype (&sd_tables_close)>;

static void must (int status, const sd_error &err) {
  if (status != SD_OK)
    throw std::runtime_error (err.text);
}

static std::string probe (const char *path, const char *fen) {
  sd_error err = {};
  sd_tables *opened = nullptr;
  must (sd_tables_open (path, 0, &opened, &err), err);
  Tables tables (opened, sd_tables_close);
  sd_pos position;
  must (sd_pos_from_fen (fen, &position, &err), err);
  int wdl = 0;
  must (sd_probe_wdl (tables.get (), &position, &wdl, &err), err);
  std::string text = wdl > 0 ? "won" : wdl < 0 ? "lost" : "drawn";
  // The DTM table may be missing; then the program says no more.
  sd_value value = 0;
  const int status = sd_probe_dtm (tables.get (), &position, &value, &err);
  if (status != SD_ENOENT)
    must (status, err);
  if (status == SD_OK && value != 0)
    text += ", mate in " + std::to_string (value > 0 ? value : -value - 1) + " plies";
  return text;
}

int main (int argc, char **argv) {
  if (argc != 3) {
    std::cerr << "Usage: probe FOLDER[:FOLDER...] FEN\n";
    return 2;
  }
  try {
    std::cout << probe (argv[1], argv[2]) << "\n";
  } catch (const std::exception &e) {
    std::cerr << "probe: " << e.what () << "\n";
    return 1;
  }
}
