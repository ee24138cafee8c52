noinst_LTLIBRARIES += chess/libchess.la
chess_libchess_la_SOURCES = chess/chess.h chess/attacks.c chess/position.c chess/fen.c chess/san.c chess/moves.c chess/unmoves.c chess/material.c chess/ending.h chess/ending.c chess/castling.c
EXTRA_DIST += chess/README.md
