noinst_LTLIBRARIES += chess/libchess.la
# what libsubdef-probe compiles, too (engine/local.mk)
sd_chess_read = \
  chess/attacks.c \
  chess/castling.c \
  chess/fen.c \
  chess/material.c \
  chess/moves.c \
  chess/position.c \
  chess/unmoves.c
chess_libchess_la_SOURCES = \
  $(sd_chess_read) \
  chess/chess.h \
  chess/ending.c \
  chess/ending.h \
  chess/san.c
EXTRA_DIST += chess/README.md
