// What a chess engine asks of tables, in C++:
//   c++ engine.cpp $(pkg-config --cflags --libs subdef-probe) -o engine
//   ./engine FOLDER[:FOLDER...] 'FEN'
#include <subdef/probe.h>

#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>

static void check (int status) {
  if (status != SD_PROBER_OK)
    throw std::runtime_error (sd_prober_text (status));
}

using Prober = std::unique_ptr<sd_prober, decltype (&sd_prober_close)>;

static Prober open (const char *path) {
  char text[512];
  sd_prober *prober = nullptr;
  if (sd_prober_open (path, 0, &prober, text, sizeof text) != SD_PROBER_OK)
    throw std::runtime_error (text);
  std::cerr << text << "\n"; // how many tables there are
  return Prober (prober, sd_prober_close);
}

int main (int argc, char **argv) try {
  static const char *const result[] = { "lost", "drawn", "won" };
  if (argc != 3)
    throw std::runtime_error ("usage: engine FOLDER[:FOLDER...] FEN");
  const Prober prober = open (argv[1]);
  sd_prober_position position;
  sd_prober_move moves[SD_PROBER_MOVES];
  int wdl = 0, plies = 0;
  unsigned n = 0;
  check (sd_prober_fen (argv[2], &position));
  check (sd_prober_wdl (prober.get (), &position, &wdl));
  std::cout << result[wdl + 1];
  if (sd_prober_dtm (prober.get (), &position, &wdl, &plies) == SD_PROBER_OK && wdl != 0)
    std::cout << ", mate in " << plies << " plies";
  std::cout << "\n";
  check (sd_prober_root (prober.get (), &position, moves, &n));
  for (unsigned i = 0; i < n; i++) // the best move first
    std::cout << moves[i].uci << " " << result[moves[i].wdl + 1]
              << (moves[i].dtm > 0 ? " " + std::to_string (moves[i].dtm) : "") << "\n";
} catch (const std::exception &e) {
  std::cerr << "engine: " << e.what () << "\n";
  return 1;
}
