if TOOLS
dist_man_MANS += man/subdef.1 man/subdef-gen.1
endif
