# The style of all figures, those of reports and those of papers/: paper, letters, colours, axes. A script reads
#
#   load 'style.gp'
#   eval paper (640, 480, 'NAME')               # its size in pixels; NAME.svg
#   eval frame (80, 24, 76, 60)                 # pixels left, right, above and below the axes
#   TITLE = 'KRvKP, WDL'; WHAT = 'bytes of both sides'; BELOW = 'slots'
#   eval heading                                # the title, and what the upright and the level axis show
#   ...
#   plot ...
#   eval finished
#
# It names no font but sans-serif, so that a figure has the letters of the page around it. Every colour can be told from
# white paper (a contrast of 3.5 or more), and is lighter on dark paper; white is paper and black is ink, which a reader's dark mode
# turns round. A filled mark is a table whose freedom was used, a hollow one a table without freedom.
set encoding utf8
set datafile missing '?'
set datafile separator whitespace

BLUE = '#2f7de1'; ORANGE = '#c96a12'; GREEN = '#1f8f63'; MAGENTA = '#c93f82'; CYAN = '#1687a7'; GREY = '#7a818c'; PALE = '#8fb8ee'
PAPER = 'white'; INK = 'black'
# of codecs, as their rows have them (codecs/codecs.def): the own ones in colour, libraries and the plain copy in greys
REPAIR = BLUE; OBDD = MAGENTA; TREES = GREEN; HUFFMAN = ORANGE; RLE = CYAN; LZMA = '#6f7782'; STORE = '#858b95'

LETTERS = 'sans-serif,15'; LARGE = 'sans-serif,17'; SMALL = 'sans-serif,14' # pixels

# No disc of paper is cleared below a bar (pointintervalbox): it would hide the marks around.
# With -e 'NARROW = 1' the drawing for a phone, NAME_narrow.svg: 400 pixels wide, its words in rows, the upper and lower margins as wide as these need.
narrow = exists ('NARROW')
paper (width, height, name) = narrow ? sheet (400, height + 40, name . '_narrow') : sheet (width, height, name)
sheet (width, height, name) = sprintf ("WIDTH = %d.; HEIGHT = %d.; NAME = '%s'; ", width, height, name) \
  . sprintf ("set terminal svg size %d,%d dynamic noenhanced background rgb '%s' font '%s' name '%s'; ", width, height, PAPER, LETTERS, (strstrt (name, '-') ? 'figure' : name)) \
  . sprintf ("set output (exists ('OUT') ? OUT . '/' : '') . '%s.svg'; ", name) \
  . "set border 3 lw 0.8 lc rgb GREY; set tics nomirror out scale 0.6,0.3 textcolor rgb INK font SMALL; set xtics offset 0,0.4; set grid lt 1 lc rgb GREY lw 0.25; set grid noxtics ytics; unset key; set pointintervalbox 0.01"
frame (left, right, above, below) = sprintf ('ABOVE = %.5f; UNDER = %.5f; ', above, below) . sprintf ('set lmargin at screen %.5f; set rmargin at screen %.5f; set tmargin at screen %.5f; set bmargin at screen %.5f', \
  left / WIDTH, 1 - right / WIDTH, 1 - above / HEIGHT, below / HEIGHT)
across (pixels) = pixels / WIDTH
down (pixels) = 1 - pixels / HEIGHT
text_rows (text) = strstrt (text, "\n") ? 1 + text_rows (text[strstrt (text, "\n") + 1:*]) : 1
further (text, height) = height * (text_rows (text) - 1) # pixels below the first row of a text
last_blank (text, n) = n < 1 ? 0 : text[n:n] eq ' ' ? n : last_blank (text, n - 1)
wrap_at (text, most, blank) = blank ? text[1:blank - 1] . "\n" . wrap (text[blank + 1:*], most) : text
wrap (text, most) = strlen (text) <= most ? text : wrap_at (text, most, last_blank (text, most + 1))
margins = "set tmargin at screen 1 - ABOVE / HEIGHT; set bmargin at screen UNDER / HEIGHT; "
in_rows = !narrow ? '' : "TITLE = wrap (TITLE, 37); WHAT = wrap (WHAT, 45); BELOW = wrap (BELOW, 45); " \
  . "ABOVE = ABOVE + further (TITLE, 26) + further (WHAT, 21); UNDER = UNDER + further (BELOW, 21); " . margins
heading = in_rows . "LEGEND_X = 16; LEGEND_Y = (strlen (WHAT) ? 72 : 50) + further (TITLE, 26) + further (WHAT, 21); set label 1001 TITLE at screen across (16), down (24) left front font LARGE; " \
  . "set label 1002 WHAT at screen across (16), down (47 + further (TITLE, 26)) left front font SMALL; set label 1003 BELOW at graph 1, screen (18 + further (BELOW, 21)) / HEIGHT right front font SMALL"
# a row for each ending, named on the left
endings = "set ytics scale 0; set grid noytics xtics"
# What marks and lines mean, in rows that begin at LEGEND_X, LEGEND_Y (pixels): ENTRY = 'RE-PAIR'; eval legend (7, REPAIR), a mark as
# gnuplot numbers them, or eval legend_line (2, BLUE, 1), a line of this width and dash. gnuplot's own key knows no such rows.
ROOM = 26 # between the last row and the axes, at least
MARK = 1. # the size of a mark, beside the usual one
letters (text) = 8.1 * strlen (text)
next_entry = "LEGEND_Y = LEGEND_X > 16 && LEGEND_X + 30 + letters (ENTRY) > WIDTH - 8 ? LEGEND_Y + 20 : LEGEND_Y; LEGEND_X = LEGEND_X > 16 && LEGEND_X + 30 + letters (ENTRY) > WIDTH - 8 ? 16 : LEGEND_X; "
beside_entry = "set label ENTRY at screen across (LEGEND_X + 20), down (LEGEND_Y) left front font SMALL; LEGEND_X = LEGEND_X + 40 + letters (ENTRY); LEGEND_Y = LEGEND_Y + further (ENTRY, 21)" . (narrow ? "; ABOVE = ABOVE > LEGEND_Y + ROOM ? ABOVE : LEGEND_Y + ROOM; " . margins : '')
legend (mark, colour) = next_entry . sprintf ("set label '' at screen across (LEGEND_X + 7), down (LEGEND_Y) point pt %d ps %g lw 1.4 lc rgb '%s' front; ", mark, MARK, colour) . beside_entry
legend_line (width, colour, dash) = next_entry \
  . sprintf ("set arrow from screen across (LEGEND_X), down (LEGEND_Y) to screen across (LEGEND_X + 26), down (LEGEND_Y) nohead front lw %g dt %d lc rgb '%s'; LEGEND_X = LEGEND_X + 12; ", width, dash, colour) . beside_entry

# marks that a line joins: it is seen on both sides of the mark, which may be hollow
stub (from, to, width, colour, dash) = sprintf ("set arrow from screen across (LEGEND_X + %g), down (LEGEND_Y) to screen across (LEGEND_X + %g), down (LEGEND_Y) nohead front lw %g dt %d lc rgb '%s'; ", \
  from, to, width, dash, colour)
legend_joined (mark, width, colour, dash) = next_entry . stub (0, 13 - 6 * MARK, width, colour, dash) . stub (13 + 6 * MARK, 26, width, colour, dash) \
  . sprintf ("set label '' at screen across (LEGEND_X + 13), down (LEGEND_Y) point pt %d ps %g lw 1.4 lc rgb '%s' front; LEGEND_X = LEGEND_X + 12; ", mark, MARK, colour) . beside_entry

# Ticks of logarithmic axes: 1 names powers of ten, 3 also 2 and 5, 9 all that one axis of less than a decade needs.
bytes_text (v) = v < 999.5 ? sprintf ('%g B', v) : v < 999500 ? sprintf ('%g kB', v / 1e3) : v < 999.5e6 ? sprintf ('%g MB', v / 1e6) : sprintf ('%g GB', v / 1e9)
binary_text (v) = v < 1024 ? sprintf ('%g B', v) : v < 1048576 ? sprintf ('%g KiB', v / 1024) : v < 1073741824 ? sprintf ('%g MiB', v / 1048576) : sprintf ('%g GiB', v / 1073741824)
time_text (ns) = ns < 999.5 ? sprintf ('%g ns', ns) : ns < 999500 ? sprintf ('%g us', ns / 1e3) : ns < 999.5e6 ? sprintf ('%g ms', ns / 1e6) : sprintf ('%g s', ns / 1e9)
text_of (unit, v) = unit eq 'bytes' ? bytes_text (v) : unit eq 'binary' ? binary_text (v) : unit eq 'time' ? time_text (v) : unit eq 'per cent' ? sprintf ('%g %%%%', v) : sprintf ('%g', v)
tick (unit, v) = sprintf ("'%s' %g, ", text_of (unit, v), v)
short (v) = sprintf ("'' %g 1, ", v)
decade (unit, named, v) = v > 1e12 ? '' \
  : (named == 1 ? tick (unit, v) . short (2 * v) . short (3 * v) . short (4 * v) . short (5 * v) . short (6 * v) . short (7 * v) . short (8 * v) . short (9 * v) \
    : named == 3 ? tick (unit, v) . tick (unit, 2 * v) . tick (unit, 5 * v) \
    : tick (unit, v) . tick (unit, 1.2 * v) . tick (unit, 1.5 * v) . tick (unit, 2 * v) . tick (unit, 2.5 * v) . tick (unit, 3 * v) . tick (unit, 4 * v) . tick (unit, 5 * v) . tick (unit, 6 * v) . tick (unit, 8 * v)) \
  . decade (unit, named, 10 * v)
ticks (axis, unit, named) = sprintf ('set logscale %s; set %stics (%s0)', axis, axis, decade (unit, named, 1e-3))
# powers of two from v on, each `step`-th power
powers (unit, v, step) = v > 1e12 ? '' : tick (unit, v) . powers (unit, v * 2**step, step)
binary_ticks (axis, unit, step) = sprintf ('set logscale %s 2; set %stics (%s0)', axis, axis, powers (unit, 1., step))
# an axis from zero to `most`: a tick at each 1, 2 or 5 times a power of ten, four or so of them
power_below (v) = 10.**floor (log10 (v))
step_for (v) = v < 1.5 * power_below (v) ? power_below (v) : v < 3.5 * power_below (v) ? 2 * power_below (v) : v < 7.5 * power_below (v) ? 5 * power_below (v) : 10 * power_below (v)
linear (unit, v, step, most) = v > most ? '' : tick (unit, v) . linear (unit, v + step, step, most)
linear_ticks (axis, unit, most) = sprintf ("set %stics (%s'0' 0)", axis, linear (unit, step_for (most / 4.), step_for (most / 4.), most * 1.05))

# Colours of codecs on dark paper, lighter there: a contrast of 5. A line, a mark and a letter have their colour in three ways.
lit (r, g, b, colour) = sprintf ('svg [stroke="rgb(%3d, %3d, %3d)"]{stroke:%s}svg [color="rgb(%3d, %3d, %3d)"]{color:%s}', r, g, b, colour, r, g, b, colour) \
  . sprintf ('svg [fill="rgb(%d,%d,%d)"],svg [fill="rgb(%3d, %3d, %3d)"]{fill:%s}', r, g, b, r, g, b, colour)
LIT = '' \
  . lit (47, 125, 225, '#5494e6') \
  . lit (201, 106, 18, '#d17f33') \
  . lit (31, 143, 99, '#43a17c') \
  . lit (201, 63, 130, '#d771a2') \
  . lit (22, 135, 167, '#409db7') \
  . lit (111, 119, 130, '#8c929b') \
  . lit (122, 129, 140, '#8d939c') \
  . lit (86, 104, 143, '#8592ae') \
  . lit (125, 107, 149, '#9a8cac') \
  . lit (168, 87, 74, '#bf8379') \
  . lit (134, 120, 108, '#9c9086') \
  . lit (95, 143, 134, '#6f9a92') \
  . lit (148, 137, 79, '#9d925d') \
  . lit (133, 139, 149, '#8c929b')

# Letters have an edge of paper, so that no line runs through them. The dark paper of a reader's dark mode, written into the file; and
# no word of the version that drew it.
DARK = '<style>#gnuplot_canvas text{paint-order:stroke;stroke:#fff;stroke-width:3px;stroke-linejoin:round}@media (prefers-color-scheme:dark){#gnuplot_canvas>rect{fill:#0d1117}#gnuplot_canvas text{stroke:#0d1117}' \
  . '#gnuplot_canvas [color="black"]{color:#e6edf3}#gnuplot_canvas [stroke="black"]{stroke:#e6edf3}#gnuplot_canvas [fill="black"],#gnuplot_canvas [fill="rgb(0,0,0)"]{fill:#e6edf3}' \
  . '#gnuplot_canvas [color="rgb(  0,   0,   0)"]{color:#e6edf3}#gnuplot_canvas [stroke="rgb(  0,   0,   0)"]{stroke:#e6edf3}' \
  . '#gnuplot_canvas [color="white"],#gnuplot_canvas [color="rgb(255, 255, 255)"],#gnuplot_canvas [color="#FFFFFF"]{color:#0d1117}#gnuplot_canvas [stroke="rgb(255, 255, 255)"]{stroke:#0d1117}' . LIT . '}</style>'
# Who draws many figures in one process sets LATER, and evals darken at the end: one sed then writes into all of them. The names of more
# files than these would be too long for a command.
finished = "unset output; FILES = (exists ('FILES') ? FILES : '') . sprintf (' \"%s%s.svg\"', exists ('OUT') ? OUT . '/' : '', NAME); if (!exists ('LATER') || strlen (FILES) > 50000) { eval darken }"
darken = "if (exists ('FILES') && strlen (FILES)) { system ('sed -i ''s|^<g id=\"gnuplot_canvas\">|' . DARK . '&|'' ' . FILES); FILES = '' }"
# the same as PDF, for paper, where gnuplot can do that
printed = "if (strstrt (GPVAL_TERMINALS, 'pdfcairo')) { set terminal pdfcairo noenhanced size WIDTH / 96. in, HEIGHT / 96. in font 'sans-serif,11'; set output NAME . '.pdf'; replot; unset output }"
