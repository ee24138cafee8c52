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
sd_unit_tests = tests/base/test_base tests/subdef/test_subdef tests/codecs/test_codecs tests/repair/test_repair tests/obdd/test_obdd tests/chess/test_chess tests/indexer/test_indexer \
  tests/table/test_table tests/recode/test_search tests/probe/test_probe tests/probe/test_tables tests/recode/test_verify tests/probe/test_values tests/gen/test_gen tests/gen/test_estimate tests/gen/test_output tests/gen/test_balance tests/gen/test_solvers tests/gen/test_checkpoint tests/gen/test_chess_game
if TOOLS
sd_unit_tests += tests/experiments/test_experiments tests/experiments/test_report tests/tools/test_waiting
endif
check_PROGRAMS += $(sd_unit_tests)
TESTS += $(sd_unit_tests)
endif
tests_base_test_base_SOURCES = tests/base/test_base.c tests/base/temporary.h
tests_base_test_base_CFLAGS = $(AM_CFLAGS) $(CRITERION_CFLAGS)
tests_base_test_base_LDADD = base/libbase.la $(CRITERION_LIBS)
tests_tools_test_waiting_SOURCES = tests/tools/test_waiting.c tools/waiting.c tools/tools_internal.h
tests_tools_test_waiting_CFLAGS = $(AM_CFLAGS) $(CRITERION_CFLAGS)
tests_tools_test_waiting_LDADD = base/libbase.la $(CRITERION_LIBS)
tests_subdef_test_subdef_SOURCES = tests/subdef/test_subdef.c
tests_subdef_test_subdef_CFLAGS = $(AM_CFLAGS) $(CRITERION_CFLAGS)
tests_subdef_test_subdef_LDADD = subdef/libsets.la base/libbase.la $(CRITERION_LIBS)
tests_codecs_test_codecs_SOURCES = tests/codecs/test_codecs.c tests/codecs/test_all_codecs.c tests/codecs/test_trees.c tests/codecs/test_huffman.c tests/codecs/test_huffman_stream.c tests/codecs/test_rans.c tests/codecs/test_cached.c tests/codecs/codec_suite.h
tests_codecs_test_codecs_CFLAGS = $(AM_CFLAGS) $(CRITERION_CFLAGS)
tests_codecs_test_codecs_LDADD = $(sd_test_libs)
tests_repair_test_repair_SOURCES = tests/repair/test_repair.c tests/repair/test_repair_parse.c tests/repair/test_repair_pairs.c tests/repair/test_repair_model.c tests/repair/test_repair_access.c
tests_repair_test_repair_CFLAGS = $(AM_CFLAGS) $(CRITERION_CFLAGS)
tests_repair_test_repair_LDADD = repair/librepair.la codecs/libcodecs.la subdef/libsets.la base/libbase.la $(CRITERION_LIBS)
tests_obdd_test_obdd_SOURCES = tests/obdd/test_obdd.c tests/obdd/test_obdd_order.c tests/obdd/test_obdd_lookup.c tests/obdd/test_obdd_nodes.c tests/obdd/test_clusters.c tests/obdd/obdd_made.h tests/codecs/codec_suite.h
tests_obdd_test_obdd_CFLAGS = $(AM_CFLAGS) $(CRITERION_CFLAGS)
tests_obdd_test_obdd_LDADD = obdd/libobdd.la codecs/libcodecs.la subdef/libsets.la base/libbase.la $(CRITERION_LIBS) $(BUDDY_LIBS)
tests_chess_test_chess_SOURCES = tests/chess/test_chess.c tests/chess/test_chess_material.c tests/chess/chess_oracle.h
tests_chess_test_chess_CFLAGS = $(AM_CFLAGS) $(CRITERION_CFLAGS)
tests_chess_test_chess_LDADD = chess/libchess.la base/libbase.la $(CRITERION_LIBS)
tests_indexer_test_indexer_SOURCES = tests/indexer/test_indexer.c
tests_indexer_test_indexer_CFLAGS = $(AM_CFLAGS) $(CRITERION_CFLAGS)
tests_indexer_test_indexer_LDADD = indexer/libindexer.la chess/libchess.la base/libbase.la $(CRITERION_LIBS)
tests_table_test_table_SOURCES = tests/table/test_table.c tests/table/test_container.c tests/table/test_joint.c tests/table/made_up.h tests/probe/conversions.h
tests_table_test_table_CFLAGS = $(AM_CFLAGS) $(CRITERION_CFLAGS)
tests_table_test_table_LDADD = gen/libgen.la $(sd_test_libs)
tests_recode_test_search_SOURCES = tests/recode/test_search.c tests/table/made_up.h tests/probe/conversions.h
tests_recode_test_search_CFLAGS = $(AM_CFLAGS) $(CRITERION_CFLAGS)
tests_recode_test_search_LDADD = gen/libgen.la $(sd_test_libs)
tests_probe_test_probe_SOURCES = tests/probe/test_probe.c tests/probe/conversions.h tests/probe/count_requests.h tests/probe/three_men.h
tests_probe_test_probe_CFLAGS = $(AM_CFLAGS) $(CRITERION_CFLAGS)
tests_probe_test_probe_LDADD = gen/libgen.la $(sd_test_libs)
tests_probe_test_tables_SOURCES = tests/probe/test_tables.c tests/probe/test_guard.c tests/probe/three_men.h
tests_probe_test_tables_CFLAGS = $(AM_CFLAGS) $(CRITERION_CFLAGS)
tests_probe_test_tables_LDADD = gen/libgen.la $(sd_test_libs)
tests_recode_test_verify_SOURCES = tests/recode/test_verify.c tests/probe/three_men.h
tests_recode_test_verify_CFLAGS = $(AM_CFLAGS) $(CRITERION_CFLAGS)
tests_recode_test_verify_LDADD = gen/libgen.la $(sd_test_libs)
tests_probe_test_values_SOURCES = tests/probe/test_values.c tests/base/temporary.h
tests_probe_test_values_CFLAGS = $(AM_CFLAGS) $(CRITERION_CFLAGS)
tests_probe_test_values_LDADD = gen/libgen.la $(sd_test_libs)
tests_gen_test_gen_SOURCES = tests/gen/test_gen.c tests/gen/toy_game.h tests/gen/solve_values.h
tests_gen_test_gen_CFLAGS = $(AM_CFLAGS) $(CRITERION_CFLAGS)
tests_gen_test_gen_LDADD = gen/libgen.la $(sd_test_libs)
if HAVE_CRITERION
if HAVE_WRAP
# requests for memory are sent to the test; -static: those of the library, too
check_PROGRAMS += tests/gen/test_guarded
TESTS += tests/gen/test_guarded
endif
endif
tests_gen_test_guarded_SOURCES = tests/gen/test_guarded.c tests/gen/toy_game.h tests/gen/solve_values.h
tests_gen_test_guarded_CFLAGS = $(AM_CFLAGS) $(CRITERION_CFLAGS)
tests_gen_test_guarded_LDADD = gen/libgen.la $(sd_test_libs)
tests_gen_test_guarded_LDFLAGS = $(AM_LDFLAGS) -static -Wl,--wrap=sd_alloc,--wrap=sd_alloc0,--wrap=sd_alloc0_large,--wrap=free
tests_gen_test_estimate_SOURCES = tests/gen/test_estimate.c
tests_gen_test_estimate_CFLAGS = $(AM_CFLAGS) $(CRITERION_CFLAGS)
tests_gen_test_estimate_LDADD = gen/libgen.la $(sd_test_libs)
tests_gen_test_balance_SOURCES = tests/gen/test_balance.c
tests_gen_test_balance_CFLAGS = $(AM_CFLAGS) $(CRITERION_CFLAGS)
tests_gen_test_balance_LDADD = gen/libgen.la $(sd_test_libs)
tests_gen_test_output_SOURCES = tests/gen/test_output.c tests/base/temporary.h tests/gen/made_values.h
tests_gen_test_output_CFLAGS = $(AM_CFLAGS) $(CRITERION_CFLAGS)
tests_gen_test_output_LDADD = gen/libgen.la $(sd_test_libs)
tests_gen_test_solvers_SOURCES = tests/gen/test_solvers.c tests/gen/toy_game.h tests/gen/solve_values.h tests/gen/solved_draughts.h
tests_gen_test_solvers_CFLAGS = $(AM_CFLAGS) $(CRITERION_CFLAGS)
tests_gen_test_solvers_LDADD = gen/libgen.la $(sd_test_libs)
tests_gen_test_checkpoint_SOURCES = tests/gen/test_checkpoint.c tests/gen/toy_game.h tests/gen/solve_values.h
tests_gen_test_checkpoint_CFLAGS = $(AM_CFLAGS) $(CRITERION_CFLAGS)
tests_gen_test_checkpoint_LDADD = gen/libgen.la $(sd_test_libs)
tests_gen_test_chess_game_SOURCES = tests/gen/test_chess_game.c tests/gen/test_chess_men.c tests/gen/chess_game.h tests/gen/solve_values.h
tests_gen_test_chess_game_CFLAGS = $(AM_CFLAGS) $(CRITERION_CFLAGS)
tests_gen_test_chess_game_LDADD = gen/libgen.la $(sd_test_libs)
tests_experiments_test_report_SOURCES = tests/experiments/test_report.c
tests_experiments_test_report_CFLAGS = $(AM_CFLAGS) $(CRITERION_CFLAGS) $(SQLITE_CFLAGS) $(CONFIG_CFLAGS) $(GSL_CFLAGS)
tests_experiments_test_report_LDADD = experiments/libexperiments.la gen/libgen.la $(sd_test_libs) $(GSL_LIBS) $(SQLITE_LIBS) $(CONFIG_LIBS)
tests_experiments_test_experiments_SOURCES = tests/experiments/test_experiments.c tests/experiments/test_store.c tests/experiments/sweeps.h
tests_experiments_test_experiments_CFLAGS = $(AM_CFLAGS) $(CRITERION_CFLAGS) $(SQLITE_CFLAGS) $(CONFIG_CFLAGS) $(GSL_CFLAGS)
tests_experiments_test_experiments_LDADD = experiments/libexperiments.la gen/libgen.la $(sd_test_libs) $(GSL_LIBS) $(SQLITE_LIBS) $(CONFIG_LIBS)

# games besides chess
if HAVE_CRITERION
check_PROGRAMS += tests/gen/test_games
TESTS += tests/gen/test_games
endif
tests_gen_test_games_SOURCES = tests/gen/test_games.c tests/gen/test_draughts.c tests/table/test_game_tables.c tests/gen/solved_draughts.h
tests_gen_test_games_CFLAGS = $(AM_CFLAGS) $(CRITERION_CFLAGS)
tests_gen_test_games_LDADD = gen/libgen.la $(sd_test_libs)
# what is installed: headers that compile alone, the functions that can be called, programs that use nothing else; and names of types
dist_check_SCRIPTS += tests/build/headers.sh tests/build/exports.sh tests/build/installed.sh tests/build/types.sh
TESTS += tests/build/headers.sh tests/build/exports.sh tests/build/installed.sh tests/build/types.sh
EXTRA_DIST += tests/build/types.awk tests/data/KQvK.dtm.sdt

# From here on all tests use the programs.
if TOOLS
# the generator: under mpirun, as a user types it, and all endings with 3 and 4 men against published figures. The tables are made
# once, when subdef-gen is newer, and may serve other tests: $(SD_BUILDDIR)/tests/tables
dist_check_SCRIPTS += tests/gen/gen_ranks.sh tests/gen/subdef_gen.sh tests/gen/checkpoint_ranks.sh tests/gen/kill.sh tests/gen/exhausted.sh tests/gen/hosts.sh
TESTS += tests/gen/subdef_gen.sh tests/gen/kill.sh tests/gen/exhausted.sh
tests/gen/subdef_gen.log tests/gen/kill.log tests/gen/exhausted.log: tools/subdef-gen$(EXEEXT)
if HAVE_WRAP
# subdef-gen again, its requests for memory sent to short_of_memory.c; -static: those of the library, too
check_PROGRAMS += tests/gen/short_of_memory
tests_gen_short_of_memory_SOURCES = tests/gen/short_of_memory.c $(tools_subdef_gen_SOURCES)
tests_gen_short_of_memory_CPPFLAGS = $(tools_subdef_gen_CPPFLAGS)
tests_gen_short_of_memory_LDADD = $(tools_subdef_gen_LDADD)
tests_gen_short_of_memory_LDFLAGS = $(AM_LDFLAGS) -static -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=posix_memalign,--wrap=strdup
tests/gen/exhausted.log: tests/gen/short_of_memory$(EXEEXT)
endif
if HAVE_MPI
check_PROGRAMS += tests/gen/mpi_solver tests/gen/mpi_output tests/gen/mpi_checkpoint
tests_gen_mpi_output_SOURCES = tests/gen/mpi_output.c tests/gen/made_values.h
tests_gen_mpi_output_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS)
tests_gen_mpi_output_LDADD = gen/libgen.la libsubdef-internal.la $(MPI_LIBS)
tests_gen_mpi_checkpoint_SOURCES = tests/gen/mpi_checkpoint.c tests/gen/toy_game.h tests/gen/solve_values.h
tests_gen_mpi_checkpoint_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS)
tests_gen_mpi_checkpoint_LDADD = gen/libgen.la libsubdef-internal.la $(MPI_LIBS)
tests_gen_mpi_solver_SOURCES = tests/gen/mpi_solver.c tests/gen/toy_game.h tests/gen/solve_values.h
tests_gen_mpi_solver_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS)
tests_gen_mpi_solver_LDADD = gen/libgen.la libsubdef-internal.la $(MPI_LIBS)
TESTS += tests/gen/gen_ranks.sh tests/gen/checkpoint_ranks.sh tests/gen/hosts.sh
tests/gen/hosts.log: tools/subdef-gen$(EXEEXT)
tests/gen/gen_ranks.log: tests/gen/mpi_solver$(EXEEXT) tests/gen/mpi_output$(EXEEXT)
tests/gen/checkpoint_ranks.log: tests/gen/mpi_checkpoint$(EXEEXT)
endif
tests/tables/complete: tools/subdef-gen$(EXEEXT)
	$(AM_V_GEN)OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 ASAN_OPTIONS=detect_leaks=0 \
	  tools/subdef-gen --men 4 --force -q -o tests/tables \
	  > tests/tables.txt && touch $@
clean-local:
	rm -rf tests/tables tests/tables.txt tests/papers/sizes tests/codecs/all-codecs tests/papers/obdd-sizes tests/papers/one-sided-sizes tests/papers/five-sizes tests/build/installed
if HAVE_CRITERION
check_PROGRAMS += tests/gen/test_truth tests/probe/test_one_sided
TESTS += tests/gen/test_truth tests/probe/test_one_sided
# (a rule for tests/gen/test_truth.log would replace automake's own)
EXTRA_tests_gen_test_truth_DEPENDENCIES = tests/tables/complete
EXTRA_tests_probe_test_one_sided_DEPENDENCIES = tests/tables/complete
endif
tests_probe_test_one_sided_SOURCES = tests/probe/test_one_sided.c tests/table/made_up.h tests/probe/conversions.h
tests_probe_test_one_sided_CFLAGS = $(AM_CFLAGS) $(CRITERION_CFLAGS)
tests_probe_test_one_sided_LDADD = $(sd_test_libs)
tests_gen_test_truth_SOURCES = tests/gen/test_truth.c tests/gen/published.h
tests_gen_test_truth_CFLAGS = $(AM_CFLAGS) $(CRITERION_CFLAGS)
tests_gen_test_truth_LDADD = $(sd_test_libs)

# compressed sizes are pinned
TESTS += tests/papers/sizes.sh
EXTRA_DIST += tests/papers/sizes.sh
TESTS += tests/papers/dtm-sizes.sh
EXTRA_DIST += tests/papers/dtm-sizes.sh
tests/papers/sizes.log tests/papers/dtm-sizes.log: tests/tables/complete tools/subdef$(EXEEXT)

TESTS += tests/codecs/all-codecs.sh
EXTRA_DIST += tests/codecs/all-codecs.sh
tests/codecs/all-codecs.log: tests/tables/complete tools/subdef$(EXEEXT)

TESTS += tests/papers/obdd-sizes.sh
EXTRA_DIST += tests/papers/obdd-sizes.sh
tests/papers/obdd-sizes.log: tests/tables/complete tools/subdef$(EXEEXT)

TESTS += tests/papers/one-sided-sizes.sh
EXTRA_DIST += tests/papers/one-sided-sizes.sh
tests/papers/one-sided-sizes.log: tests/tables/complete tools/subdef$(EXEEXT)

TESTS += tests/papers/five-sizes.sh
EXTRA_DIST += tests/papers/five-sizes.sh
tests/papers/five-sizes.log: tools/subdef$(EXEEXT)

# the other commands as a user types them
check_PROGRAMS += tests/tools/cli_helper
tests_tools_cli_helper_SOURCES = tests/tools/cli_helper.c
tests_tools_cli_helper_LDADD = libsubdef-internal.la
dist_check_SCRIPTS += tests/tools/cli.sh
TESTS += tests/tools/cli.sh
tests/tools/cli.log: tools/subdef$(EXEEXT) tools/subdef-gen$(EXEEXT) tests/tools/cli_helper$(EXEEXT)

# several sweeps on one store
dist_check_SCRIPTS += tests/tools/claims.sh
TESTS += tests/tools/claims.sh
tests/tools/claims.log: tools/subdef$(EXEEXT) tools/subdef-gen$(EXEEXT)

dist_check_SCRIPTS += tests/gen/subdef_gen_games.sh
TESTS += tests/gen/subdef_gen_games.sh
EXTRA_DIST += tests/data/race.txt
tests/gen/subdef_gen_games.log: tools/subdef-gen$(EXEEXT)

# the scripts of papers/
dist_check_SCRIPTS += tests/papers/papers.sh
TESTS += tests/papers/papers.sh
tests/papers/papers.log: tools/subdef$(EXEEXT) tools/subdef-gen$(EXEEXT)
endif

# files that are read for ever (tests/golden/README.md)
check_PROGRAMS += tests/table/golden_tool
tests_table_golden_tool_SOURCES = tests/table/golden_tool.c tests/table/golden.h
tests_table_golden_tool_LDADD = gen/libgen.la libsubdef-internal.la
if HAVE_CRITERION
check_PROGRAMS += tests/table/test_golden
TESTS += tests/table/test_golden
endif
tests_table_test_golden_SOURCES = tests/table/test_golden.c tests/table/golden.h tests/table/states.h tests/table/made_up.h tests/probe/conversions.h
tests_table_test_golden_CFLAGS = $(AM_CFLAGS) $(CRITERION_CFLAGS)
tests_table_test_golden_LDADD = gen/libgen.la $(sd_test_libs)
EXTRA_DIST += tests/golden

# how threads wait
if TOOLS
dist_check_SCRIPTS += tests/tools/waiting.sh
TESTS += tests/tools/waiting.sh
endif
tests/tools/waiting.log: tools/subdef$(EXEEXT) tools/subdef-gen$(EXEEXT)

if HAVE_CRITERION
if HAVE_WRAP
# requests for memory are counted; -static: those of the library, too
check_PROGRAMS += tests/table/test_hostile
TESTS += tests/table/test_hostile
endif
endif
tests_table_test_hostile_SOURCES = tests/table/test_hostile.c fuzz/memory.c fuzz/memory.h fuzz/forge.h
tests_table_test_hostile_CPPFLAGS = $(AM_CPPFLAGS) $(sd_counted_flags)
tests_table_test_hostile_CFLAGS = $(AM_CFLAGS) $(CRITERION_CFLAGS)
tests_table_test_hostile_LDFLAGS = $(AM_LDFLAGS) $(sd_counted)
tests_table_test_hostile_LDADD = $(sd_test_libs)
