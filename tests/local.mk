# Unit tests (Criterion), one program per room; what needs ranks starts mpirun in a script; the tools are tested as a user
# types them (*.sh). The driver is automake's, and then prints Criterion's closing line, which automake would hide in a log.
TEST_EXTENSIONS = .sh
LOG_DRIVER = $(SHELL) $(top_srcdir)/tests/driver
SH_LOG_DRIVER = $(SHELL) $(top_srcdir)/tests/driver
SH_LOG_COMPILER = $(SHELL)
AM_TESTS_ENVIRONMENT = SD_SRCDIR='$(abs_top_srcdir)'; export SD_SRCDIR; SD_BUILDDIR='$(abs_top_builddir)'; export SD_BUILDDIR; \
  CRITERION_JOBS=1; export CRITERION_JOBS; OMP_NUM_THREADS=2; export OMP_NUM_THREADS; OMP_WAIT_POLICY=passive; export OMP_WAIT_POLICY; \
  SD_CC='$(CC)'; export SD_CC; SD_CXX='$(CXX)'; export SD_CXX; SD_NM='$(NM)'; export SD_NM; SD_PKG_CONFIG='$(PKG_CONFIG)'; export SD_PKG_CONFIG; \
  SD_PREFIX='$(prefix)'; export SD_PREFIX; SD_LIBDIR='$(libdir)'; export SD_LIBDIR; SD_DOCDIR='$(docdir)'; export SD_DOCDIR; \
  SD_HEADERS='$(nobase_sdinclude_HEADERS)'; export SD_HEADERS; SD_SANITIZE='$(SD_LDFLAGS)'; export SD_SANITIZE; \
  SD_VERSIONS='$(sd_versions)'; export SD_VERSIONS;
if HAVE_VERSIONS
sd_versions = yes
endif
EXTRA_DIST += tests/driver tests/README.md tests/data/dtm-histograms-3.csv tests/data/dtm-maxima.csv tests/data/wdl-counts.csv tests/data/dtm-maxima-5.csv tests/data/wdl-counts-5.csv

sd_test_libs = libsubdef-internal.la $(CRITERION_LIBS)

if HAVE_CRITERION
sd_unit_tests = tests/test_base tests/test_subdef tests/test_codecs tests/test_repair tests/test_obdd tests/test_chess tests/test_indexer \
  tests/test_table tests/test_search tests/test_probe tests/test_tables tests/test_verify tests/test_values tests/test_gen tests/test_estimate tests/test_output tests/test_balance tests/test_solvers tests/test_checkpoint tests/test_chess_game
if TOOLS
sd_unit_tests += tests/test_experiments tests/test_report
endif
check_PROGRAMS += $(sd_unit_tests)
TESTS += $(sd_unit_tests)
endif
if HAVE_WRAP
tests_test_base_CPPFLAGS = $(AM_CPPFLAGS) -DSD_WRAPPED
tests_test_base_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=flock
endif
tests_test_base_SOURCES = tests/test_base.c tests/temporary.h
tests_test_base_CFLAGS = $(AM_CFLAGS) $(CRITERION_CFLAGS)
tests_test_base_LDADD = base/libbase.la $(CRITERION_LIBS)
tests_test_subdef_SOURCES = tests/test_subdef.c
tests_test_subdef_CFLAGS = $(AM_CFLAGS) $(CRITERION_CFLAGS)
tests_test_subdef_LDADD = subdef/libsets.la base/libbase.la $(CRITERION_LIBS)
tests_test_codecs_SOURCES = tests/test_codecs.c tests/test_all_codecs.c tests/test_trees.c tests/test_huffman.c tests/test_huffman_stream.c tests/test_rans.c tests/test_cached.c tests/codec_suite.h
tests_test_codecs_CFLAGS = $(AM_CFLAGS) $(CRITERION_CFLAGS)
tests_test_codecs_LDADD = $(sd_test_libs)
tests_test_repair_SOURCES = tests/test_repair.c tests/test_repair_parse.c tests/test_repair_pairs.c tests/test_repair_model.c tests/test_repair_access.c
tests_test_repair_CFLAGS = $(AM_CFLAGS) $(CRITERION_CFLAGS)
tests_test_repair_LDADD = repair/librepair.la codecs/libcodecs.la subdef/libsets.la base/libbase.la $(CRITERION_LIBS)
tests_test_obdd_SOURCES = tests/test_obdd.c tests/test_obdd_order.c tests/test_obdd_lookup.c tests/test_obdd_nodes.c tests/test_clusters.c tests/obdd_made.h tests/codec_suite.h
tests_test_obdd_CFLAGS = $(AM_CFLAGS) $(CRITERION_CFLAGS)
tests_test_obdd_LDADD = obdd/libobdd.la codecs/libcodecs.la subdef/libsets.la base/libbase.la $(CRITERION_LIBS) $(BUDDY_LIBS)
tests_test_chess_SOURCES = tests/test_chess.c tests/test_chess_material.c tests/chess_oracle.h
tests_test_chess_CFLAGS = $(AM_CFLAGS) $(CRITERION_CFLAGS)
tests_test_chess_LDADD = chess/libchess.la base/libbase.la $(CRITERION_LIBS)
tests_test_indexer_SOURCES = tests/test_indexer.c
tests_test_indexer_CFLAGS = $(AM_CFLAGS) $(CRITERION_CFLAGS)
tests_test_indexer_LDADD = indexer/libindexer.la chess/libchess.la base/libbase.la $(CRITERION_LIBS)
tests_test_table_SOURCES = tests/test_table.c tests/test_container.c tests/test_joint.c tests/made_up.h
tests_test_table_CFLAGS = $(AM_CFLAGS) $(CRITERION_CFLAGS)
tests_test_table_LDADD = gen/libgen.la $(sd_test_libs)
tests_test_search_SOURCES = tests/test_search.c tests/made_up.h
tests_test_search_CFLAGS = $(AM_CFLAGS) $(CRITERION_CFLAGS)
tests_test_search_LDADD = gen/libgen.la $(sd_test_libs)
tests_test_probe_SOURCES = tests/test_probe.c tests/count_requests.h tests/three_men.h
tests_test_probe_CFLAGS = $(AM_CFLAGS) $(CRITERION_CFLAGS)
tests_test_probe_LDADD = gen/libgen.la $(sd_test_libs)
tests_test_tables_SOURCES = tests/test_tables.c tests/test_guard.c tests/three_men.h
tests_test_tables_CFLAGS = $(AM_CFLAGS) $(CRITERION_CFLAGS)
tests_test_tables_LDADD = gen/libgen.la $(sd_test_libs)
tests_test_verify_SOURCES = tests/test_verify.c tests/three_men.h
tests_test_verify_CFLAGS = $(AM_CFLAGS) $(CRITERION_CFLAGS)
tests_test_verify_LDADD = gen/libgen.la $(sd_test_libs)
tests_test_values_SOURCES = tests/test_values.c tests/temporary.h
tests_test_values_CFLAGS = $(AM_CFLAGS) $(CRITERION_CFLAGS)
tests_test_values_LDADD = gen/libgen.la $(sd_test_libs)
tests_test_gen_SOURCES = tests/test_gen.c tests/toy_game.h tests/solve_values.h
tests_test_gen_CFLAGS = $(AM_CFLAGS) $(CRITERION_CFLAGS)
tests_test_gen_LDADD = gen/libgen.la $(sd_test_libs)
if HAVE_CRITERION
if HAVE_WRAP
# requests for memory are sent to the test; -static: those of the library, too
check_PROGRAMS += tests/test_guarded
TESTS += tests/test_guarded
endif
endif
tests_test_guarded_SOURCES = tests/test_guarded.c tests/toy_game.h tests/solve_values.h
tests_test_guarded_CFLAGS = $(AM_CFLAGS) $(CRITERION_CFLAGS)
tests_test_guarded_LDADD = gen/libgen.la $(sd_test_libs)
tests_test_guarded_LDFLAGS = $(AM_LDFLAGS) -static -Wl,--wrap=sd_alloc,--wrap=sd_alloc0,--wrap=sd_alloc0_large,--wrap=free
tests_test_estimate_SOURCES = tests/test_estimate.c
tests_test_estimate_CFLAGS = $(AM_CFLAGS) $(CRITERION_CFLAGS)
tests_test_estimate_LDADD = gen/libgen.la $(sd_test_libs)
tests_test_balance_SOURCES = tests/test_balance.c
tests_test_balance_CFLAGS = $(AM_CFLAGS) $(CRITERION_CFLAGS)
tests_test_balance_LDADD = gen/libgen.la $(sd_test_libs)
tests_test_output_SOURCES = tests/test_output.c tests/temporary.h tests/made_values.h
tests_test_output_CFLAGS = $(AM_CFLAGS) $(CRITERION_CFLAGS)
tests_test_output_LDADD = gen/libgen.la $(sd_test_libs)
tests_test_solvers_SOURCES = tests/test_solvers.c tests/toy_game.h tests/solve_values.h tests/solved_draughts.h
tests_test_solvers_CFLAGS = $(AM_CFLAGS) $(CRITERION_CFLAGS)
tests_test_solvers_LDADD = gen/libgen.la $(sd_test_libs)
tests_test_checkpoint_SOURCES = tests/test_checkpoint.c tests/toy_game.h tests/solve_values.h
tests_test_checkpoint_CFLAGS = $(AM_CFLAGS) $(CRITERION_CFLAGS)
tests_test_checkpoint_LDADD = gen/libgen.la $(sd_test_libs)
tests_test_chess_game_SOURCES = tests/test_chess_game.c tests/test_chess_men.c tests/chess_game.h tests/solve_values.h
tests_test_chess_game_CFLAGS = $(AM_CFLAGS) $(CRITERION_CFLAGS)
tests_test_chess_game_LDADD = gen/libgen.la $(sd_test_libs)
tests_test_report_SOURCES = tests/test_report.c
tests_test_report_CFLAGS = $(AM_CFLAGS) $(CRITERION_CFLAGS) $(SQLITE_CFLAGS) $(CONFIG_CFLAGS) $(GSL_CFLAGS)
tests_test_report_LDADD = experiments/libexperiments.la gen/libgen.la $(sd_test_libs) $(GSL_LIBS) $(SQLITE_LIBS) $(CONFIG_LIBS)
tests_test_experiments_SOURCES = tests/test_experiments.c tests/test_store.c tests/sweeps.h
tests_test_experiments_CFLAGS = $(AM_CFLAGS) $(CRITERION_CFLAGS) $(SQLITE_CFLAGS) $(CONFIG_CFLAGS) $(GSL_CFLAGS)
tests_test_experiments_LDADD = experiments/libexperiments.la gen/libgen.la $(sd_test_libs) $(GSL_LIBS) $(SQLITE_LIBS) $(CONFIG_LIBS)

# games besides chess
if HAVE_CRITERION
check_PROGRAMS += tests/test_games
TESTS += tests/test_games
endif
tests_test_games_SOURCES = tests/test_games.c tests/test_draughts.c tests/test_game_tables.c tests/solved_draughts.h
tests_test_games_CFLAGS = $(AM_CFLAGS) $(CRITERION_CFLAGS)
tests_test_games_LDADD = gen/libgen.la $(sd_test_libs)
# what is installed: headers that compile alone, the functions that can be called, programs that use nothing else; and names of types
dist_check_SCRIPTS += tests/headers.sh tests/exports.sh tests/installed.sh tests/types.sh
TESTS += tests/headers.sh tests/exports.sh tests/installed.sh tests/types.sh
EXTRA_DIST += tests/types.awk tests/data/KQvK.dtm.sdt

# From here on all tests use the programs.
if TOOLS
# the generator: under mpirun, as a user types it, and all endings with 3 and 4 men against published figures. The tables are made
# once, when subdef-gen is newer, and may serve other tests: $(SD_BUILDDIR)/tests/tables
dist_check_SCRIPTS += tests/gen_ranks.sh tests/subdef_gen.sh tests/checkpoint_ranks.sh tests/kill.sh tests/exhausted.sh tests/hosts.sh
TESTS += tests/subdef_gen.sh tests/kill.sh tests/exhausted.sh
tests/subdef_gen.log tests/kill.log tests/exhausted.log: tools/subdef-gen$(EXEEXT)
if HAVE_WRAP
# subdef-gen again, its requests for memory sent to short_of_memory.c; -static: those of the library, too
check_PROGRAMS += tests/short_of_memory
tests_short_of_memory_SOURCES = tests/short_of_memory.c $(tools_subdef_gen_SOURCES)
tests_short_of_memory_CPPFLAGS = $(tools_subdef_gen_CPPFLAGS)
tests_short_of_memory_LDADD = $(tools_subdef_gen_LDADD)
tests_short_of_memory_LDFLAGS = $(AM_LDFLAGS) -static -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=posix_memalign,--wrap=strdup
tests/exhausted.log: tests/short_of_memory$(EXEEXT)
endif
if HAVE_MPI
check_PROGRAMS += tests/mpi_solver tests/mpi_output tests/mpi_checkpoint
tests_mpi_output_SOURCES = tests/mpi_output.c tests/made_values.h
tests_mpi_output_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS)
tests_mpi_output_LDADD = gen/libgen.la libsubdef-internal.la $(MPI_LIBS)
tests_mpi_checkpoint_SOURCES = tests/mpi_checkpoint.c tests/toy_game.h tests/solve_values.h
tests_mpi_checkpoint_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS)
tests_mpi_checkpoint_LDADD = gen/libgen.la libsubdef-internal.la $(MPI_LIBS)
tests_mpi_solver_SOURCES = tests/mpi_solver.c tests/toy_game.h tests/solve_values.h
tests_mpi_solver_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS)
tests_mpi_solver_LDADD = gen/libgen.la libsubdef-internal.la $(MPI_LIBS)
TESTS += tests/gen_ranks.sh tests/checkpoint_ranks.sh tests/hosts.sh
tests/hosts.log: tools/subdef-gen$(EXEEXT)
tests/gen_ranks.log: tests/mpi_solver$(EXEEXT) tests/mpi_output$(EXEEXT)
tests/checkpoint_ranks.log: tests/mpi_checkpoint$(EXEEXT)
endif
tests/tables/complete: tools/subdef-gen$(EXEEXT)
	$(AM_V_GEN)OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 ASAN_OPTIONS=detect_leaks=0 \
	  tools/subdef-gen --men 4 --force -q -o tests/tables \
	  > tests/tables.txt && touch $@
clean-local:
	rm -rf tests/tables tests/tables.txt tests/sizes tests/all-codecs tests/obdd-sizes tests/one-sided-sizes tests/five-sizes tests/installed
if HAVE_CRITERION
check_PROGRAMS += tests/test_truth tests/test_one_sided
TESTS += tests/test_truth tests/test_one_sided
# (a rule for tests/test_truth.log would replace automake's own)
EXTRA_tests_test_truth_DEPENDENCIES = tests/tables/complete
EXTRA_tests_test_one_sided_DEPENDENCIES = tests/tables/complete
endif
tests_test_one_sided_SOURCES = tests/test_one_sided.c tests/made_up.h
tests_test_one_sided_CFLAGS = $(AM_CFLAGS) $(CRITERION_CFLAGS)
tests_test_one_sided_LDADD = $(sd_test_libs)
tests_test_truth_SOURCES = tests/test_truth.c tests/published.h
tests_test_truth_CFLAGS = $(AM_CFLAGS) $(CRITERION_CFLAGS)
tests_test_truth_LDADD = $(sd_test_libs)

# compressed sizes are pinned
TESTS += tests/sizes.sh
EXTRA_DIST += tests/sizes.sh
TESTS += tests/dtm-sizes.sh
EXTRA_DIST += tests/dtm-sizes.sh
tests/sizes.log tests/dtm-sizes.log: tests/tables/complete tools/subdef$(EXEEXT)

TESTS += tests/all-codecs.sh
EXTRA_DIST += tests/all-codecs.sh
tests/all-codecs.log: tests/tables/complete tools/subdef$(EXEEXT)

TESTS += tests/obdd-sizes.sh
EXTRA_DIST += tests/obdd-sizes.sh
tests/obdd-sizes.log: tests/tables/complete tools/subdef$(EXEEXT)

TESTS += tests/one-sided-sizes.sh
EXTRA_DIST += tests/one-sided-sizes.sh
tests/one-sided-sizes.log: tests/tables/complete tools/subdef$(EXEEXT)

TESTS += tests/five-sizes.sh
EXTRA_DIST += tests/five-sizes.sh
tests/five-sizes.log: tools/subdef$(EXEEXT)

# the other commands as a user types them
check_PROGRAMS += tests/cli_helper
tests_cli_helper_SOURCES = tests/cli_helper.c
tests_cli_helper_LDADD = libsubdef-internal.la
dist_check_SCRIPTS += tests/cli.sh
TESTS += tests/cli.sh
tests/cli.log: tools/subdef$(EXEEXT) tools/subdef-gen$(EXEEXT) tests/cli_helper$(EXEEXT)

# several sweeps on one store
dist_check_SCRIPTS += tests/claims.sh
TESTS += tests/claims.sh
tests/claims.log: tools/subdef$(EXEEXT) tools/subdef-gen$(EXEEXT)

dist_check_SCRIPTS += tests/subdef_gen_games.sh
TESTS += tests/subdef_gen_games.sh
EXTRA_DIST += tests/data/race.txt
tests/subdef_gen_games.log: tools/subdef-gen$(EXEEXT)

# the scripts of papers/
dist_check_SCRIPTS += tests/papers.sh
TESTS += tests/papers.sh
tests/papers.log: tools/subdef$(EXEEXT) tools/subdef-gen$(EXEEXT)
endif

# files that are read for ever (tests/golden/README.md)
check_PROGRAMS += tests/golden_tool
tests_golden_tool_SOURCES = tests/golden_tool.c tests/golden.h
tests_golden_tool_LDADD = gen/libgen.la libsubdef-internal.la
if HAVE_CRITERION
check_PROGRAMS += tests/test_golden
TESTS += tests/test_golden
endif
tests_test_golden_SOURCES = tests/test_golden.c tests/golden.h tests/made_up.h
tests_test_golden_CFLAGS = $(AM_CFLAGS) $(CRITERION_CFLAGS)
tests_test_golden_LDADD = gen/libgen.la $(sd_test_libs)
EXTRA_DIST += tests/golden

# how threads wait
if TOOLS
dist_check_SCRIPTS += tests/waiting.sh
TESTS += tests/waiting.sh
endif
tests/waiting.log: tools/subdef$(EXEEXT) tools/subdef-gen$(EXEEXT)

if HAVE_CRITERION
if HAVE_WRAP
# requests for memory are counted; -static: those of the library, too
check_PROGRAMS += tests/test_hostile
TESTS += tests/test_hostile
endif
endif
tests_test_hostile_SOURCES = tests/test_hostile.c fuzz/memory.c fuzz/memory.h fuzz/forge.h
tests_test_hostile_CPPFLAGS = $(AM_CPPFLAGS) $(sd_counted_flags)
tests_test_hostile_CFLAGS = $(AM_CFLAGS) $(CRITERION_CFLAGS)
tests_test_hostile_LDFLAGS = $(AM_LDFLAGS) $(sd_counted)
tests_test_hostile_LDADD = $(sd_test_libs)
