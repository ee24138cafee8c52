if TOOLS
noinst_LIBRARIES += gen/libgen.a
else
check_LIBRARIES += gen/libgen.a
endif
gen_libgen_a_SOURCES = \
  gen/build.c \
  gen/coding.c \
  gen/estimate.c \
  gen/estimate_bound.c \
  gen/estimate_internal.h \
  gen/estimate_model.c \
  gen/estimate_runs.c \
  gen/games/chess/chess_game.h \
  gen/gen.h \
  gen/lanes.h \
  gen/solve/apply.c \
  gen/solve/deal.c \
  gen/solve/due.c \
  gen/solve/gather.c \
  gen/solve/marks.c \
  gen/solve/solve.h \
  gen/solve/solver.c \
  gen/solve/solver_internal.h \
  gen/solve/solver_saver.c \
  gen/solve/solver_start.c \
  gen/solve/spread.c \
  gen/solve/transport_self.c
gen_libgen_a_SOURCES += \
  gen/solve/checkpoint.c \
  gen/solve/checkpoint_file.c \
  gen/solve/checkpoint_internal.h
gen_libgen_a_SOURCES += \
  gen/games/draughts/draughts_index.c \
  gen/games/draughts/draughts_internal.h \
  gen/games/draughts/draughts_moves.c \
  gen/games/draughts/draughts_text.c \
  gen/games/draughts/draughts_game.c \
  gen/games/games.c \
  gen/games/games.h \
  gen/games/graph/graph_game.c \
  gen/games/graph/graph_internal.h \
  gen/games/graph/graph_read.c \
  gen/games/known.c \
  gen/games/known.h
gen_libgen_a_SOURCES += \
  gen/games/chess/chess_kind.c \
  gen/games/chess/chess_kind.h \
  gen/games/chess/chess_text.c \
  gen/games/game_tables.c \
  gen/games/game_verify.c
gen_libgen_a_SOURCES += \
  gen/games/chess/chess_convert.h \
  gen/games/chess/chess_ep.c \
  gen/games/chess/chess_game.c \
  gen/games/chess/chess_init.c \
  gen/games/chess/chess_init_row.c \
  gen/games/chess/chess_internal.h \
  gen/games/chess/chess_moves.h \
  gen/games/chess/chess_parts.c \
  gen/games/chess/chess_preds.c \
  gen/games/chess/chess_preds_row.c \
  gen/games/chess/chess_row.h \
  gen/games/chess/chess_row_count.h \
  gen/games/chess/chess_row_ways.c
gen_libgen_a_SOURCES += \
  gen/balance/balance.c \
  gen/balance/balance.h \
  gen/balance/balance_decide.c \
  gen/balance/balance_internal.h \
  gen/balance/balance_known.c \
  gen/balance/balance_setup.c \
  gen/balance/balance_words.c \
  gen/solve/solver_share.c
gen_libgen_a_SOURCES += \
  gen/output.c \
  gen/output_blocks.c \
  gen/output_count.c \
  gen/output_file.c \
  gen/output_internal.h \
  gen/parts.c \
  gen/parts.h
EXTRA_DIST += gen/README.md gen/published.awk gen/marks_together.csv
# the rows of estimate_model.c, from the figures that the tests compare tables with
sd_published = $(srcdir)/tests/data/wdl-counts.csv $(srcdir)/tests/data/wdl-counts-5.csv $(srcdir)/tests/data/dtm-maxima.csv \
  $(srcdir)/tests/data/dtm-maxima-5.csv $(srcdir)/gen/marks_together.csv
gen/published.inc: $(srcdir)/gen/published.awk $(sd_published)
	@$(MKDIR_P) gen
	$(AM_V_GEN)$(AWK) -f $(srcdir)/gen/published.awk $(sd_published) > $@.new && mv -f $@.new $@
$(gen_libgen_a_OBJECTS): | gen/published.inc
CLEANFILES += gen/published.inc gen/published.inc.new
if HAVE_MPI
gen_libgen_a_SOURCES += gen/solve/transport_mpi.h gen/solve/transport_mpi.c
endif
gen_libgen_a_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS)
