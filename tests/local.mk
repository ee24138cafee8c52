# Tests: Criterion programs (test_*), a folder a room, and shell scripts that type what users type.
#   make check-fast   what takes seconds: most mistakes show here
#   make check        everything but long loops
#   make check-all    the same with gcc and clang, under sanitizers, without MPI, without the programs, from a tarball (tests/all.sh)
# The driver is automake's, and then prints Criterion's closing line, which automake would hide in a log.
TEST_EXTENSIONS = .sh
LOG_DRIVER = $(SHELL) $(top_srcdir)/tests/driver
SH_LOG_DRIVER = $(SHELL) $(top_srcdir)/tests/driver
SH_LOG_COMPILER = $(SHELL)
AM_TESTS_ENVIRONMENT = SD_SRCDIR='$(abs_top_srcdir)'; export SD_SRCDIR; SD_BUILDDIR='$(abs_top_builddir)'; export SD_BUILDDIR; \
  CRITERION_JOBS=1; export CRITERION_JOBS; OMP_NUM_THREADS=2; export OMP_NUM_THREADS; OMP_WAIT_POLICY=passive; export OMP_WAIT_POLICY; \
  SD_CC='$(CC)'; export SD_CC; SD_CXX='$(CXX)'; export SD_CXX; SD_NM='$(NM)'; export SD_NM; SD_PKG_CONFIG='$(PKG_CONFIG)'; export SD_PKG_CONFIG; \
  SD_PREFIX='$(prefix)'; export SD_PREFIX; SD_LIBDIR='$(libdir)'; export SD_LIBDIR; SD_DOCDIR='$(docdir)'; export SD_DOCDIR; \
  SD_HEADERS='$(subdefinclude_HEADERS)'; export SD_HEADERS; SD_INCLUDEDIR='$(includedir)'; export SD_INCLUDEDIR; \
  SD_PYTHON='$(PYTHON)'; export SD_PYTHON; SD_SANITIZE='$(SD_LDFLAGS)'; export SD_SANITIZE; \
  SD_VERSIONS='$(sd_versions)'; export SD_VERSIONS;
if HAVE_VERSIONS
sd_versions = yes
endif
AM_CPPFLAGS += $(CRITERION_CFLAGS)
# of a program here that says nothing else
LDADD = gen/libgen.a libsubdef-internal.la $(CRITERION_LIBS)

# ------------------------------------------------------------ Criterion programs

sd_fast_units = \
  tests/engine/test_engine \
  tests/base/test_base \
  tests/base/test_eta \
  tests/subdef/test_subdef \
  tests/chess/test_chess \
  tests/indexer/test_indexer \
  tests/syzygy/test_syzygy \
  tests/codecs/test_codecs \
  tests/table/test_golden \
  tests/probe/test_probe \
  tests/recode/test_verify \
  tests/search/test_search \
  tests/array/test_array \
  tests/coded/test_coded \
  tests/gen/test_gen \
  tests/gen/test_balance \
  tests/papers/test_simulate \
  tests/gen/test_lanes \
  tests/gen/test_lanes_128 \
  tests/gen/test_lanes_16 \
  tests/gen/test_games
sd_units = \
  $(sd_fast_units) \
  tests/table/test_table \
  tests/probe/test_tables \
  tests/syzygy/test_formats \
  tests/syzygy/test_counts \
  tests/syzygy/test_beside \
  tests/syzygy/test_write \
  tests/syzygy/test_made_up \
  tests/repair/test_repair \
  tests/obdd/test_obdd \
  tests/recode/test_search \
  tests/values/test_values \
  tests/gen/test_estimate \
  tests/gen/test_output \
  tests/papers/test_solvers \
  tests/gen/test_checkpoint \
  tests/gen/test_chess_game
sd_tables_units = \
  tests/engine/test_engine_endings \
  tests/gen/test_truth \
  tests/syzygy/test_values \
  tests/syzygy/test_export \
  tests/syzygy/test_import \
  tests/probe/test_one_sided \
  tests/probe/test_by_moves \
  tests/experiments/test_limits
sd_wrapped_units = tests/codecs/test_requests tests/gen/test_guarded tests/table/test_hostile
if HAVE_CRITERION
if TOOLS
sd_fast_units += tests/experiments/test_report tests/tools/test_waiting tests/tools/test_cuts tests/tools/test_left
sd_units += tests/experiments/test_experiments tests/experiments/test_axis $(sd_tables_units)
# (a rule for tests/gen/test_truth.log would replace automake's own)
EXTRA_tests_gen_test_truth_DEPENDENCIES = tests/tables/complete
EXTRA_tests_engine_test_engine_endings_DEPENDENCIES = tests/tables/complete
EXTRA_tests_syzygy_test_values_DEPENDENCIES = tests/tables/complete
EXTRA_tests_probe_test_one_sided_DEPENDENCIES = tests/tables/complete
EXTRA_tests_recode_test_search_DEPENDENCIES = tests/tables/complete
EXTRA_tests_probe_test_by_moves_DEPENDENCIES = tests/tables/complete
EXTRA_tests_experiments_test_limits_DEPENDENCIES = tests/tables/complete
endif
if HAVE_WRAP
sd_units += $(sd_wrapped_units)
endif
check_PROGRAMS += $(sd_units)
TESTS += $(sd_units)
endif

# the rooms at the bottom are linked with what they may use
tests_base_test_eta_SOURCES = tests/base/test_eta.c
tests_base_test_eta_LDADD = base/libbase.la $(CRITERION_LIBS) -lm
tests_base_test_base_SOURCES = tests/base/test_base.c tests/base/temporary.h
if HAVE_WRAP
# a signal comes while a file is locked
tests_base_test_base_CPPFLAGS = $(AM_CPPFLAGS) -DSD_WRAPPED
tests_base_test_base_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=flock
endif
tests_base_test_base_LDADD = base/libbase.la $(CRITERION_LIBS)
tests_subdef_test_subdef_SOURCES = tests/subdef/test_subdef.c tests/subdef/test_entropy.c
tests_subdef_test_subdef_LDADD = subdef/libsets.la base/libbase.la $(CRITERION_LIBS)
tests_chess_test_chess_SOURCES = \
  tests/chess/chess_oracle.h \
  tests/chess/test_chess.c \
  tests/chess/test_chess_material.c \
  tests/chess/test_san.c \
  tests/chess/test_unmoves.c
tests_chess_test_chess_LDADD = chess/libchess.la base/libbase.la $(CRITERION_LIBS)
tests_syzygy_test_syzygy_SOURCES = \
  fuzz/syzygy_seeds.h \
  tests/syzygy/files.h \
  tests/syzygy/test_syzygy.c
tests_syzygy_test_formats_SOURCES = \
  fuzz/syzygy_seeds.h \
  tests/base/long_tests.h \
  tests/syzygy/files.h \
  tests/syzygy/test_formats.c
tests_syzygy_test_write_SOURCES = tests/syzygy/test_write.c tests/syzygy/files.h
tests_syzygy_test_made_up_SOURCES = tests/syzygy/test_made_up.c
tests_syzygy_test_export_SOURCES = tests/syzygy/test_export.c
tests_syzygy_test_import_SOURCES = tests/base/long_tests.h tests/syzygy/test_import.c tests/syzygy/files.h
tests_syzygy_test_beside_SOURCES = tests/syzygy/test_beside.c tests/probe/three_men.h
tests_syzygy_test_counts_SOURCES = \
  tests/gen/orders.h \
  tests/gen/published.h \
  tests/syzygy/files.h \
  tests/syzygy/test_counts.c
tests_syzygy_test_values_SOURCES = tests/syzygy/test_values.c tests/syzygy/files.h
tests_syzygy_test_syzygy_LDADD = syzygy/libsyzygy.la chess/libchess.la base/libbase.la $(CRITERION_LIBS)
tests_indexer_test_indexer_LDADD = indexer/libindexer.la chess/libchess.la base/libbase.la $(CRITERION_LIBS)
tests_repair_test_repair_SOURCES = \
  tests/codecs/codec_suite.h \
  tests/repair/test_repair.c \
  tests/repair/test_repair_access.c \
  tests/repair/test_repair_grammar.c \
  tests/repair/test_repair_model.c \
  tests/repair/test_repair_pairs.c \
  tests/repair/test_repair_parse.c \
  tests/repair/test_repair_pass.c
tests_repair_test_repair_LDADD = repair/librepair.la codecs/libcodecs.la subdef/libsets.la base/libbase.la $(CRITERION_LIBS)
tests_obdd_test_obdd_SOURCES = \
  tests/codecs/codec_suite.h \
  tests/obdd/obdd_made.h \
  tests/obdd/printed_boards.h \
  tests/obdd/test_clusters.c \
  tests/obdd/test_hits.c \
  tests/obdd/test_obdd.c \
  tests/obdd/test_obdd_lookup.c \
  tests/obdd/test_obdd_nodes.c \
  tests/obdd/test_obdd_order.c \
  tests/obdd/test_obdd_threads.c \
  tests/obdd/test_printed.c \
  tests/obdd/validate.c \
  tests/obdd/validate.h
tests_obdd_test_obdd_LDADD = obdd/libobdd.la codecs/libcodecs.la subdef/libsets.la base/libbase.la $(CRITERION_LIBS) $(BUDDY_LIBS)

tests_codecs_test_codecs_SOURCES = \
  tests/base/long_tests.h \
  tests/codecs/codec_suite.h \
  tests/codecs/test_all_codecs.c \
  tests/codecs/test_cached.c \
  tests/codecs/test_codecs.c \
  tests/codecs/test_huffman.c \
  tests/codecs/test_huffman_stream.c \
  tests/codecs/test_runs.c \
  tests/codecs/test_rans.c \
  tests/codecs/test_threads.c \
  tests/codecs/test_trees.c
tests_table_test_table_SOURCES = \
  tests/probe/conversions.h \
  tests/table/made_up.h \
  tests/table/test_container.c \
  tests/table/test_joint.c \
  tests/table/test_table.c
tests_table_test_golden_SOURCES = \
  tests/base/long_tests.h \
  tests/probe/conversions.h \
  tests/table/golden.h \
  tests/table/made_up.h \
  tests/table/states.h \
  tests/table/test_golden.c
tests_probe_test_probe_SOURCES = \
  tests/probe/conversions.h \
  tests/probe/count_requests.h \
  tests/probe/test_probe.c \
  tests/probe/three_men.h
tests_probe_test_tables_SOURCES = \
  tests/base/long_tests.h \
  tests/probe/test_guard.c \
  tests/probe/test_tables.c \
  tests/probe/three_men.h
tests_values_test_values_SOURCES = tests/values/test_values.c tests/base/temporary.h
tests_probe_test_by_moves_SOURCES = \
  tests/base/long_tests.h \
  tests/probe/conversions.h \
  tests/probe/test_by_moves.c \
  tests/probe/three_men.h \
  tests/table/made_up.h
tests_probe_test_one_sided_SOURCES = \
  tests/base/long_tests.h \
  tests/probe/conversions.h \
  tests/probe/test_one_sided.c \
  tests/table/made_up.h
tests_engine_test_engine_SOURCES = \
  fuzz/forge.h \
  tests/engine/engine_made.h \
  tests/engine/test_engine.c \
  tests/engine/test_engine_files.c \
  tests/engine/test_engine_rules.c \
  tests/probe/count_requests.h \
  tests/probe/three_men.h
tests_recode_test_search_SOURCES = \
  tests/probe/conversions.h \
  tests/recode/noisy.h \
  tests/recode/test_search.c \
  tests/recode/test_search_layouts.c \
  tests/table/made_up.h
tests_search_test_search_SOURCES = tests/search/test_search.c tests/probe/three_men.h
tests_search_test_search_LDADD = search/libsearch.a $(LDADD)
tests_array_test_array_SOURCES = \
  tests/array/test_array.c \
  tests/array/test_cubes.c \
  tests/array/test_npy.c \
  tests/array/test_pla.c
tests_array_test_array_LDADD = array/libarray.a $(LDADD)
tests_coded_test_coded_SOURCES = tests/coded/test_coded.c tests/coded/test_coded_bytes.c
tests_recode_test_verify_SOURCES = tests/recode/test_verify.c tests/probe/three_men.h

sd_toy_game = tests/gen/toy_game.h tests/gen/solve_values.h
tests_gen_test_gen_SOURCES = tests/gen/test_gen.c $(sd_toy_game)
tests_gen_test_output_SOURCES = \
  tests/base/temporary.h \
  tests/gen/endings.h \
  tests/gen/made_values.h \
  tests/gen/test_output.c \
  tests/gen/test_parts.c
tests_papers_test_solvers_SOURCES = \
  $(sd_toy_game) \
  tests/gen/endings.h \
  tests/gen/solved_draughts.h \
  tests/papers/test_solvers.c
tests_papers_test_solvers_LDADD = papers/libretrograde.a $(LDADD)
tests_papers_test_simulate_LDADD = papers/libretrograde.a $(LDADD)
tests_gen_test_checkpoint_SOURCES = tests/gen/test_checkpoint.c $(sd_toy_game)
tests_gen_test_chess_game_SOURCES = \
  tests/gen/chess_game.h \
  tests/gen/solve_values.h \
  tests/gen/test_chess_game.c \
  tests/gen/test_chess_men.c
tests_gen_test_games_SOURCES = \
  tests/gen/endings.h \
  tests/gen/solved_draughts.h \
  tests/gen/test_draughts.c \
  tests/gen/test_games.c \
  tests/table/test_game_tables.c
tests_gen_test_truth_SOURCES = \
  tests/gen/orders.h \
  tests/gen/published.h \
  tests/gen/test_truth.c \
  tests/obdd/printed_boards.h
tests_gen_test_estimate_SOURCES = tests/gen/test_estimate.c tests/gen/published.h

sd_experiments_flags = $(AM_CPPFLAGS) $(SQLITE_CFLAGS) $(CONFIG_CFLAGS) $(GSL_CFLAGS) $(JANSSON_CFLAGS)
sd_experiments_libs = experiments/libexperiments.a array/libarray.a $(LDADD) $(GSL_LIBS) $(SQLITE_LIBS) $(CONFIG_LIBS) $(JANSSON_LIBS)
tests_experiments_test_limits_CPPFLAGS = $(sd_experiments_flags)
tests_experiments_test_limits_LDADD = $(sd_experiments_libs)
tests_experiments_test_report_SOURCES = \
  tests/base/long_tests.h \
  tests/base/temporary.h \
  tests/experiments/in_folder.h \
  tests/experiments/test_query.c \
  tests/experiments/test_report_figures.c \
  tests/experiments/test_report_fits.c \
  tests/experiments/test_report_hostile.c \
  tests/experiments/test_report_lines.c \
  tests/experiments/test_report_page.c \
  tests/experiments/test_report_runs.c \
  tests/experiments/written_rows.h
tests_experiments_test_report_CPPFLAGS = $(sd_experiments_flags)
tests_experiments_test_report_LDADD = $(sd_experiments_libs)
tests_experiments_test_experiments_SOURCES = \
  tests/base/temporary.h \
  tests/experiments/in_folder.h \
  tests/experiments/sweeps.h \
  tests/experiments/test_idle_settings.c \
  tests/experiments/test_sampled.c \
  tests/experiments/test_stats.c \
  tests/experiments/test_store.c \
  tests/experiments/test_store_claims.c \
  tests/experiments/test_store_old.c \
  tests/experiments/test_sweep_file.c \
  tests/experiments/test_sweep_parts.c \
  tests/experiments/test_sweep_report.c \
  tests/experiments/test_sweep_run.c
tests_experiments_test_experiments_CPPFLAGS = $(sd_experiments_flags)
tests_experiments_test_experiments_LDADD = $(sd_experiments_libs)
# all of it once more, with an axis more
tests_experiments_test_axis_SOURCES = \
  tests/base/temporary.h \
  tests/experiments/in_folder.h \
  tests/experiments/sweeps.h \
  tests/experiments/test_axis.c \
  $(experiments_libexperiments_a_SOURCES)
tests_experiments_test_axis_CPPFLAGS = $(experiments_libexperiments_a_CPPFLAGS) '-DSD_WORD_AXIS_COLUMNS(X)=X (O, flavour, 32)'
tests_experiments_test_axis_LDADD = array/libarray.a $(LDADD) $(GSL_LIBS) $(SQLITE_LIBS) $(CONFIG_LIBS) $(JANSSON_LIBS)
tests_tools_test_waiting_SOURCES = tests/tools/test_waiting.c tools/waiting.c tools/tools_internal.h
tests_tools_test_waiting_LDADD = base/libbase.la $(CRITERION_LIBS)
tests_tools_test_left_SOURCES = tests/tools/test_left.c tools/set/left.c tools/set/set.h
tests_tools_test_left_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
tests_tools_test_left_LDADD = $(CRITERION_LIBS)
tests_tools_test_cuts_SOURCES = fuzz/syzygy_seeds.h tests/tools/test_cuts.c tools/serve/cuts.c tools/serve/service.h
tests_tools_test_cuts_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)

# requests for memory are sent to the test, or counted; -static: those of the library, too
tests_codecs_test_requests_LDFLAGS = $(AM_LDFLAGS) -static -Wl,--wrap=sd_alloc,--wrap=sd_alloc0,--wrap=sd_grow_array
tests_gen_test_guarded_SOURCES = tests/gen/test_guarded.c $(sd_toy_game)
tests_gen_test_guarded_LDFLAGS = $(AM_LDFLAGS) -static -Wl,--wrap=sd_alloc,--wrap=sd_alloc0,--wrap=sd_alloc0_large,--wrap=free
tests_table_test_hostile_SOURCES = \
  fuzz/forge.h \
  fuzz/memory.c \
  fuzz/memory.h \
  tests/table/test_hostile.c
tests_table_test_hostile_CPPFLAGS = $(AM_CPPFLAGS) $(sd_counted_flags)
tests_table_test_hostile_LDFLAGS = $(AM_LDFLAGS) $(sd_counted)

# ----------------------------------------------------- programs that tests start

check_PROGRAMS += tests/table/golden_tool
tests_table_golden_tool_SOURCES = tests/table/golden_tool.c tests/table/golden.h
tests_table_golden_tool_LDADD = gen/libgen.a libsubdef-internal.la
if TOOLS
check_PROGRAMS += tests/tools/cli_helper
tests_tools_cli_helper_LDADD = libsubdef-internal.la
check_PROGRAMS += tests/tools/answers_check
tests_tools_answers_check_SOURCES = \
  tests/tools/answers_check.c \
  tools/missing.c \
  tools/probe/answers.c \
  tools/probe/answers.h \
  tools/probe/category.c \
  tools/probe/line.c
tests_tools_answers_check_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
tests_tools_answers_check_LDADD = gen/libgen.a libsubdef-internal.la
if HAVE_WRAP
# subdef-gen again, its requests for memory sent to short_of_memory.c
check_PROGRAMS += tests/gen/short_of_memory
tests_gen_short_of_memory_SOURCES = tests/gen/short_of_memory.c $(tools_subdef_gen_SOURCES)
tests_gen_short_of_memory_CPPFLAGS = $(tools_subdef_gen_CPPFLAGS)
tests_gen_short_of_memory_LDADD = $(tools_subdef_gen_LDADD)
$(tests_gen_short_of_memory_OBJECTS): | tools/help.inc
tests_gen_short_of_memory_LDFLAGS = $(AM_LDFLAGS) -static -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=posix_memalign,--wrap=strdup
tests/gen/exhausted.log: tests/gen/short_of_memory$(EXEEXT)
endif
if HAVE_MPI
check_PROGRAMS += tests/gen/mpi_solver tests/gen/mpi_output tests/gen/mpi_checkpoint
sd_mpi_flags = $(AM_CPPFLAGS) $(MPI_CFLAGS)
sd_mpi_libs = gen/libgen.a libsubdef-internal.la $(MPI_LIBS)
tests_gen_mpi_output_SOURCES = tests/gen/mpi_output.c tests/gen/made_values.h
tests_gen_mpi_output_CPPFLAGS = $(sd_mpi_flags)
tests_gen_mpi_output_LDADD = $(sd_mpi_libs)
tests_gen_mpi_checkpoint_SOURCES = tests/gen/mpi_checkpoint.c $(sd_toy_game)
tests_gen_mpi_checkpoint_CPPFLAGS = $(sd_mpi_flags)
tests_gen_mpi_checkpoint_LDADD = $(sd_mpi_libs)
tests_gen_mpi_solver_SOURCES = tests/gen/mpi_solver.c $(sd_toy_game)
tests_gen_mpi_solver_CPPFLAGS = $(sd_mpi_flags)
tests_gen_mpi_solver_LDADD = $(sd_mpi_libs)
endif
endif

# --------------------------------------------------------------------- scripts

# what is installed: headers that compile alone, the functions that can be called, programs that use nothing else; names of types
sd_fast_scripts = \
  tests/build/style.sh \
  tests/build/headers.sh \
  tests/build/exports.sh \
  tests/build/types.sh \
  tests/codecs/lists.sh
sd_scripts = \
  $(sd_fast_scripts) \
  tests/build/cmake.sh \
  tests/build/dist.sh \
  tests/build/installed.sh \
  tests/build/references.sh \
  tests/build/service.sh \
  tests/engine/installed.sh \
  tests/python/module.sh \
  tests/amalgamation/files.sh \
  tests/amalgamation/threads.sh
# with the programs: the generator under mpirun and killed, the commands as a user types them, sizes that are pinned
sd_mpi_scripts = tests/gen/gen_ranks.sh tests/gen/checkpoint_ranks.sh tests/gen/hosts.sh tests/papers/ranks.sh
sd_tables_scripts = \
  tests/papers/best-sizes.sh \
  tests/papers/sizes.sh \
  tests/papers/dtm-sizes.sh \
  tests/papers/obdd-sizes.sh \
  tests/papers/one-sided-sizes.sh \
  tests/codecs/all-codecs.sh \
  tests/tools/parts.sh
sd_program_scripts = \
  tests/build/site.sh \
  tests/docs/tutorials.sh \
  tests/gen/subdef_gen.sh \
  tests/gen/subdef_gen_games.sh \
  tests/gen/zeroing.sh \
  tests/gen/kill.sh \
  tests/gen/exhausted.sh \
  tests/tools/cli.sh \
  tests/tools/complete.sh \
  tests/tools/probe.sh \
  tests/tools/answers.sh \
  tests/tools/arrays.sh \
  tests/tools/waiting.sh \
  tests/tools/interrupted.sh \
  tests/tools/budget.sh \
  tests/tools/estimate.sh \
  tests/tools/orders.sh \
  tests/tools/reformat.sh \
  tests/tools/claims.sh \
  tests/tools/faults.sh \
  tests/tools/formats.sh \
  tests/tools/man.sh \
  tests/tools/memory.sh \
  tests/tools/serve.sh \
  tests/tools/serve_operator.sh \
  tests/tools/set.sh \
  tests/tools/serve_faults.sh \
  tests/tools/page_script.sh \
  tests/tools/page.sh \
  tests/search/verify.sh \
  tests/recode/checksums.sh \
  tests/syzygy/recompress.sh \
  tests/syzygy/values.sh \
  tests/experiments/browser.sh \
  tests/experiments/latex.sh \
  tests/experiments/query.sh \
  tests/papers/papers.sh \
  tests/papers/probes.sh \
  tests/papers/pages.sh \
  tests/papers/sets.sh \
  tests/papers/figures.sh \
  tests/papers/five-sizes.sh
EXTRA_DIST += tests/figure.awk tests/papers/unmade.awk
dist_check_SCRIPTS += $(sd_scripts) $(sd_mpi_scripts) $(sd_tables_scripts) $(sd_program_scripts)
TESTS += $(sd_scripts)
sd_fast_program_scripts =
if TOOLS
sd_fast_program_scripts += \
  tests/tools/man.sh \
  tests/recode/checksums.sh \
  tests/tools/arrays.sh \
  tests/tools/waiting.sh \
  tests/papers/pages.sh \
  tests/papers/figures.sh
TESTS += $(sd_program_scripts) $(sd_tables_scripts)
$(sd_program_scripts:.sh=.log) $(sd_tables_scripts:.sh=.log): tools/subdef$(EXEEXT) tools/subdef-gen$(EXEEXT)
$(sd_tables_scripts:.sh=.log): tests/tables/complete
tests/tools/cli.log tests/search/verify.log: tests/tools/cli_helper$(EXEEXT)
tests/tools/answers.log: tests/tools/answers_check$(EXEEXT)
tests/tools/man.log tests/build/site.log: $(sd_pages)
# all endings with 3 and 4 men, made once, when subdef-gen is newer
tests/tables/complete: tools/subdef-gen$(EXEEXT)
	$(AM_V_GEN)OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 ASAN_OPTIONS=detect_leaks=0 \
	  tools/subdef-gen --men 4 --force -q -o tests/tables \
	  > tests/tables.txt && touch $@
if HAVE_MPI
TESTS += $(sd_mpi_scripts)
$(sd_mpi_scripts:.sh=.log): tools/subdef-gen$(EXEEXT) tests/gen/mpi_solver$(EXEEXT) tests/gen/mpi_output$(EXEEXT) \
  tests/gen/mpi_checkpoint$(EXEEXT)
endif
endif

EXTRA_DIST += \
  tests/README.md \
  tests/all.sh \
  tests/amalgamation/tell.h \
  tests/amalgamation/threads.c \
  tests/amalgamation/values.c \
  tests/amalgamation/xxh3.c \
  tests/build/site_links.py \
  tests/build/types.awk \
  tests/data \
  tests/data/engine \
  tests/docs/tutorial.awk \
  tests/driver \
  tests/experiments/many.sql \
  tests/experiments/store-2.sql \
  tests/gen/ranks.sh \
  tests/golden \
  tests/python/arrays.py \
  tests/python/tables.py \
  tests/python/wide.py \
  tests/syzygy/checks.sh \
  tests/tools/look_at.sh
clean-local:
	rm -rf tests/tables tests/tables.txt tests/papers/sizes tests/papers/best-sizes tests/codecs/all-codecs tests/papers/obdd-sizes tests/papers/one-sided-sizes \
	  tests/papers/five-sizes tests/build/cmake tests/build/dist tests/build/installed tests/build/references tests/build/service tests/engine/installed tests/python/module \
	  tests/docs/tutorials site site-source site-source.trees

check-fast:
	$(MAKE) $(AM_MAKEFLAGS) check check_SCRIPTS= check_PROGRAMS='$(sd_fast_units:=$(EXEEXT))' TESTS='$(sd_fast_units) $(sd_fast_scripts) $(sd_fast_program_scripts)'
check-all:
	$(SHELL) $(top_srcdir)/tests/all.sh
.PHONY: check-fast check-all

# words of messages, and the words that people type
tests_base_test_base_SOURCES += tests/base/test_parts.c tests/base/test_words.c
tests_chess_test_chess_SOURCES += tests/chess/test_ending.c
