// What a chess engine asks of tables, in C++:
//   c++ engine.cpp $(pkg-config --cflags --libs subdef-probe) -o engine
//   ./engine FOLDER[:FOLDER...] 'FEN'
#include <subdef/probe.h>

#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

void check (int status) {
  if (status != SD_PROBER_OK)
    throw std::runtime_error (sd_prober_text (status));
}

struct Close {
  void operator() (sd_prober *prober) const { sd_prober_close (prober); }
};
using Prober = std::unique_ptr<sd_prober, Close>;

Prober open (const std::string &path) {
  char text[512];
  sd_prober *prober = nullptr;
  if (sd_prober_open (path.c_str (), 0, &prober, text, sizeof text) != SD_PROBER_OK)
    throw std::runtime_error (text);
  std::cerr << text << "\n"; // how many tables there are
  return Prober (prober);
}

std::vector<sd_prober_move> ranked (const sd_prober *prober, const sd_prober_position &position) {
  std::vector<sd_prober_move> moves (SD_PROBER_MOVES);
  unsigned n = 0;
  check (sd_prober_root (prober, &position, moves.data (), &n));
  moves.resize (n);
  return moves;
}

} // namespace

int main (int argc, char **argv) try {
  static const char *const result[] = { "lost", "drawn", "won" };
  if (argc != 3)
    throw std::runtime_error ("usage: engine FOLDER[:FOLDER...] FEN");
  const Prober prober = open (argv[1]);
  sd_prober_position position;
  int wdl = 0, plies = 0;
  check (sd_prober_fen (argv[2], &position));
  check (sd_prober_wdl (prober.get (), &position, &wdl));
  std::cout << result[wdl + 1];
  if (sd_prober_dtm (prober.get (), &position, &wdl, &plies) == SD_PROBER_OK && wdl != 0)
    std::cout << ", mate in " << plies << " plies";
  std::cout << "\n";
  for (const sd_prober_move &m : ranked (prober.get (), position)) { // the best move first
    std::cout << m.uci << " " << result[m.wdl + 1];
    if (m.dtm > 0)
      std::cout << " " << m.dtm;
    std::cout << "\n";
  }
  return 0;
} catch (const std::exception &e) {
  std::cerr << "engine: " << e.what () << "\n";
  return 1;
}
