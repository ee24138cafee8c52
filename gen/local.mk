if TOOLS
noinst_LTLIBRARIES += gen/libgen.la
else
check_LTLIBRARIES += gen/libgen.la
endif
gen_libgen_la_SOURCES = gen/gen.h gen/solver_internal.h gen/deal.c gen/due.c gen/solver.c gen/solver_start.c gen/solver_saver.c gen/spread.c gen/marks.c gen/apply.c gen/gather.c gen/transport_self.c gen/build.c \
  gen/coding.c \
  gen/estimate.c gen/estimate_model.c gen/estimate_runs.c gen/estimate_internal.h
gen_libgen_la_SOURCES += gen/checkpoint.c gen/checkpoint_file.c gen/checkpoint_internal.h
gen_libgen_la_SOURCES += gen/games.h gen/games.c gen/game_graph.c gen/graph_internal.h gen/graph_read.c gen/game_draughts.c gen/draughts_internal.h gen/draughts_index.c \
  gen/draughts_moves.c gen/draughts_text.c
gen_libgen_la_SOURCES += gen/game_tables.c gen/game_build.c gen/game_verify.c
gen_libgen_la_SOURCES += gen/chess_internal.h gen/chess_game.c gen/chess_ep.c gen/chess_init.c gen/chess_preds.c gen/chess_row.h gen/chess_convert.h \
  gen/chess_preds_row.c gen/chess_init_row.c gen/chess_row_count.h gen/chess_row_ways.c
gen_libgen_la_SOURCES += gen/chess_moves.h gen/solvers.c gen/forward_internal.h gen/forward_setup.c gen/solver_sequential.c \
  gen/solver_forward.c
gen_libgen_la_SOURCES += gen/balance.h gen/balance_internal.h gen/balance.c gen/balance_setup.c gen/balance_known.c gen/balance_decide.c \
  gen/balance_words.c gen/simulate.h gen/simulate.c gen/simulate_loads.c gen/solver_share.c
gen_libgen_la_SOURCES += gen/output.c gen/output_count.c gen/output_blocks.c gen/output_file.c gen/output_internal.h
EXTRA_DIST += gen/README.md
if HAVE_MPI
gen_libgen_la_SOURCES += gen/transport_mpi.h gen/transport_mpi.c
endif
gen_libgen_la_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS)
