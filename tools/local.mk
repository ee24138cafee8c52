if TOOLS
bin_PROGRAMS += tools/subdef tools/subdef-gen
endif
tools_subdef_SOURCES = \
  papers/retrograde/bench_gen.c \
  papers/retrograde/simulate/command.c \
  papers/transposition/bench_search.c \
  tools/arrays.c \
  tools/arrays.h \
  tools/bench/bench.c \
  tools/bench/bench.h \
  tools/bench/bench_array.c \
  tools/bench/bench_codecs.c \
  tools/bench/bench_file.c \
  tools/bench/bench_probe.c \
  tools/bench/bench_times.c \
  tools/common.c \
  tools/data.c \
  tools/dump.c \
  tools/export.c \
  tools/gen/subdef_gen.h \
  tools/gen/subdef_gen_args.c \
  tools/import.c \
  tools/info.c \
  tools/layouts.c \
  tools/limits.c \
  tools/main.c \
  tools/missing.c \
  tools/positions.c \
  tools/positions.h \
  tools/probe/answers.c \
  tools/probe/answers.h \
  tools/probe/answers_json.c \
  tools/probe/answers_text.c \
  tools/probe/category.c \
  tools/probe/line.c \
  tools/probe/probe.c \
  tools/probe/stream.c \
  tools/progress.c \
  tools/published.c \
  tools/read_array.c \
  tools/reformat/args.c \
  tools/reformat/array.c \
  tools/reformat/batch.c \
  tools/reformat/batch.h \
  tools/reformat/choices.c \
  tools/reformat/choices.h \
  tools/reformat/done.c \
  tools/reformat/done.h \
  tools/reformat/estimate.c \
  tools/reformat/from_syzygy.c \
  tools/reformat/items.c \
  tools/reformat/recompress.c \
  tools/reformat/reformat.h \
  tools/reformat/rtb.c \
  tools/reformat/say.c \
  tools/reformat/say_budget.c \
  tools/reformat/sdt.c \
  tools/report.c \
  tools/serve/clients.c \
  tools/serve/clients.h \
  tools/serve/counts.c \
  tools/serve/counts.h \
  tools/serve/cuts.c \
  tools/serve/files.c \
  tools/serve/http.c \
  tools/serve/http_internal.h \
  tools/serve/lists.c \
  tools/serve/log.c \
  tools/serve/log.h \
  tools/serve/page.c \
  tools/serve/ranges.c \
  tools/serve/ranges.h \
  tools/serve/rates.c \
  tools/serve/rates.h \
  tools/serve/reply.c \
  tools/serve/request.c \
  tools/serve/serve.c \
  tools/serve/service.c \
  tools/serve/service.h \
  tools/serve/stats.c \
  tools/set/child.c \
  tools/set/command.c \
  tools/set/estimate.c \
  tools/set/folders.c \
  tools/set/jobs.c \
  tools/set/left.c \
  tools/set/look.c \
  tools/set/manifest.c \
  tools/set/row.c \
  tools/set/run.c \
  tools/set/say.c \
  tools/set/set.h \
  tools/settings.c \
  tools/signals.c \
  tools/start_gen.c \
  tools/statistics.c \
  tools/statistics.h \
  tools/sweep.c \
  tools/tasks.c \
  tools/tools_internal.h \
  tools/verify.c \
  tools/verify.h \
  tools/verify_search.c \
  tools/waiting.c
# what commands do, as texts in C, a row each (tools/options.c): lines of a paragraph become one, and a vertical tab
# stands behind the first paragraph
sd_help_texts = \
  tools/help/bench.txt \
  tools/help/dump.txt \
  tools/help/export.txt \
  tools/help/gen.txt \
  tools/help/get.txt \
  tools/help/import.txt \
  tools/help/info.txt \
  tools/help/limits.txt \
  tools/help/list.txt \
  tools/help/probe.txt \
  tools/help/recompress.txt \
  tools/help/reformat.txt \
  tools/help/report.txt \
  tools/help/serve.txt \
  tools/help/set.txt \
  tools/help/simulate.txt \
  tools/help/sweep.txt \
  tools/help/verify.txt
tools/help.inc: $(sd_help_texts)
	$(AM_V_GEN)$(MKDIR_P) tools; for f in $(sd_help_texts); do \
	  sed 's/[\\"]/\\&/g' $(srcdir)/$$f | $(AWK) -v name=`basename $$f .txt` -f $(srcdir)/tools/help/rows.awk || exit 1; done > $@.new && mv $@.new $@
$(tools_subdef_OBJECTS) $(tools_subdef_gen_OBJECTS): | tools/help.inc
CLEANFILES += tools/help.inc
# the command line: its words and what they may become
sd_words_sources = tools/options.c tools/shared_options.c tools/values.c tools/complete.c tools/man.c
tools_subdef_SOURCES += $(sd_words_sources)
tools_subdef_CPPFLAGS = $(AM_CPPFLAGS) -DSD_DATA_FOLDER='"$(pkgdatadir)"' -DSD_SOURCE_FOLDER='"$(abs_top_srcdir)"' -DSD_BUILT_PROGRAM='"$(abs_top_builddir)/tools/subdef$(EXEEXT)"' $(GSL_CFLAGS) $(SQLITE_CFLAGS) $(CONFIG_CFLAGS) $(JANSSON_CFLAGS) $(MICROHTTPD_CFLAGS)
tools_subdef_LDADD = search/libsearch.a experiments/libexperiments.a array/libarray.a papers/libretrograde.a gen/libgen.a libsubdef-internal.la $(GSL_LIBS) $(SQLITE_LIBS) $(CONFIG_LIBS) $(JANSSON_LIBS) $(MICROHTTPD_LIBS)
nodist_tools_subdef_SOURCES = tools/help.inc tools/serve/page.inc
# the files of the page of subdef serve as texts in C, a row each (tools/serve/page.c)
sd_page_files = \
  tools/serve/page/answer.js \
  tools/serve/page/board.js \
  tools/serve/page/dom.js \
  tools/serve/page/fen.js \
  tools/serve/page/index.html \
  tools/serve/page/men.js \
  tools/serve/page/page.css \
  tools/serve/page/page.js \
  tools/serve/page/tables.html \
  tools/serve/page/tables.js \
  tools/serve/page/words.js
tools/serve/page.inc: $(sd_page_files)
	$(AM_V_GEN)$(MKDIR_P) tools/serve; for f in $(sd_page_files); do \
	  echo "SD_PAGE_FILE (\"`basename $$f`\","; sed 's/[\\"]/\\&/g; s/^/"/; s/$$/\\n"/' $(srcdir)/$$f || exit 1; echo ')'; done > $@.new && mv $@.new $@
$(tools_subdef_OBJECTS): | tools/serve/page.inc
CLEANFILES += tools/serve/page.inc
tools_subdef_gen_SOURCES = \
  $(sd_words_sources) \
  tools/common.c \
  tools/gen/subdef_gen.c \
  tools/gen/subdef_gen.h \
  tools/gen/subdef_gen_args.c \
  tools/gen/subdef_gen_build.c \
  tools/gen/subdef_gen_jobs.c \
  tools/gen/subdef_gen_measure.c \
  tools/gen/subdef_gen_report.c \
  tools/progress.c \
  tools/signals.c \
  tools/tools_internal.h \
  tools/waiting.c
tools_subdef_gen_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS)
tools_subdef_gen_LDADD = papers/libretrograde.a gen/libgen.a libsubdef-internal.la $(MPI_LIBS)
EXTRA_DIST += tools/README.md tools/help/rows.awk $(sd_help_texts) $(sd_page_files)

if TOOLS
# completion, where bash-completion and zsh look for it
bashcompletiondir = $(datadir)/bash-completion/completions
dist_bashcompletion_DATA = tools/completion/subdef
zshcompletiondir = $(datadir)/zsh/site-functions
dist_zshcompletion_DATA = tools/completion/_subdef
install-data-hook:
	cd '$(DESTDIR)$(bashcompletiondir)' && rm -f subdef-gen && $(LN_S) subdef subdef-gen
uninstall-hook:
	rm -f '$(DESTDIR)$(bashcompletiondir)/subdef-gen'
endif
