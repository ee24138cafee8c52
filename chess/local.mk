noinst_LTLIBRARIES += chess/libchess.la
chess_libchess_la_SOURCES = \
  chess/attacks.c \
  chess/castling.c \
  chess/chess.h \
  chess/ending.c \
  chess/ending.h \
  chess/fen.c \
  chess/material.c \
  chess/moves.c \
  chess/position.c \
  chess/san.c \
  chess/unmoves.c
EXTRA_DIST += chess/README.md
