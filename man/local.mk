# A page a command, made from the table of options that its --help prints, and from what stands here about it.
if TOOLS
sd_pages = \
  man/subdef-bench.1 \
  man/subdef-dump.1 \
  man/subdef-export.1 \
  man/subdef-gen.1 \
  man/subdef-get.1 \
  man/subdef-import.1 \
  man/subdef-info.1 \
  man/subdef-limits.1 \
  man/subdef-list.1 \
  man/subdef-probe.1 \
  man/subdef-recompress.1 \
  man/subdef-reformat.1 \
  man/subdef-report.1 \
  man/subdef-serve.1 \
  man/subdef-set.1 \
  man/subdef-simulate.1 \
  man/subdef-sweep.1 \
  man/subdef-verify.1 \
  man/subdef.1
nodist_man_MANS = $(sd_pages)
endif
dist_man_MANS += \
  man/sd_coded_bytes.3 \
  man/sd_coded_check.3 \
  man/sd_coded_close.3 \
  man/sd_coded_codec.3 \
  man/sd_coded_codec_text.3 \
  man/sd_coded_compare.3 \
  man/sd_coded_describe.3 \
  man/sd_coded_encode.3 \
  man/sd_coded_get.3 \
  man/sd_coded_open.3 \
  man/sd_coded_read.3 \
  man/sd_coded_setting_at.3 \
  man/sd_coded_settings.3 \
  man/sd_coded_text.3 \
  man/sd_data_admits.3 \
  man/sd_data_describe.3 \
  man/sd_data_entropy.3 \
  man/sd_data_free.3 \
  man/sd_data_new.3 \
  man/sd_data_open.3 \
  man/sd_prober_add.3 \
  man/sd_prober_close.3 \
  man/sd_prober_dtm.3 \
  man/sd_prober_dtz50.3 \
  man/sd_prober_explain.3 \
  man/sd_prober_fen.3 \
  man/sd_prober_men.3 \
  man/sd_prober_open.3 \
  man/sd_prober_root.3 \
  man/sd_prober_root_dtz50.3 \
  man/sd_prober_root_wdl50.3 \
  man/sd_prober_skipped.3 \
  man/sd_prober_tables.3 \
  man/sd_prober_text.3 \
  man/sd_prober_wdl.3 \
  man/sd_prober_wdl50.3 \
  man/sd_prober_wdl_batch.3 \
  man/subdef_coded.3 \
  man/subdef_probe.3
EXTRA_DIST += \
  man/common.mdoc \
  man/subdef-gen.mdoc \
  man/subdef-probe.mdoc \
  man/subdef-reformat.mdoc \
  man/subdef-report.mdoc \
  man/subdef-serve.mdoc \
  man/subdef-set.mdoc \
  man/subdef-sweep.mdoc \
  man/subdef.mdoc
CLEANFILES += $(sd_pages)
$(sd_pages): tools/subdef$(EXEEXT) tools/subdef-gen$(EXEEXT) man/common.mdoc
	$(AM_V_GEN)$(MKDIR_P) man; page=`basename $@ .1`; extra=$(srcdir)/man/$$page.mdoc; \
	{ case $$page in subdef) tools/subdef --man ;; subdef-gen) tools/subdef-gen --man ;; \
	    *) tools/subdef `echo $$page | sed 's/subdef-//'` --man ;; esac && \
	  { test ! -f $$extra || cat $$extra; } && cat $(srcdir)/man/common.mdoc; } > $@.new && mv $@.new $@
