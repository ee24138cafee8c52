# awk -f ../columns.awk -f ours.awk FILE... (ours.sh): a line for each figure of ours that a published one is put beside: its name, value,
# unit, and where it comes from.

function put (key, value, unit, from) {
  if (value != "") # what has not been measured is left out
    print key "," value "," unit ",\"" from "\""
}
# rows\n...: name|value|unit|where it comes from, of what is so by definition, or stands in the sources
function fixed (rows,   row, f, i, n) {
  n = split (rows, row, "\n")
  for (i = 1; i <= n; i++) {
    split (row[i], f, "|")
    put(f[1], f[2], f[3], f[4])
  }
}
function percent (x) { return sprintf ("%.1f", 100 * x) }

# ------------------------------------------------------------- reading

FILENAME ~ /[.]json$/ { # subdef info --json: a value a line
  gsub (/[",:]/, "")
  if ($1 == "material") ending = $2
  else if ($1 == "to_move") side = $2
  else if ($1 == "bytes" && $0 ~ /^  bytes/) file_bytes[base(), ending] = $2
  else if ($1 == "bytes") stream[base(), ending, side] = $2
  else if ($1 == "slots") slots[base(), ending] += $2
  else if ($1 == "sides") side = ""
  next
}
function base (  b) {
  b = FILENAME
  gsub (/.*[\/]|[.]json$/, "", b)
  return b
}

FILENAME ~ /transposition[\/]codes[.]csv$/ {
  if (col("code_bits") <= 20) {
    false_matches += col("false_matches")
    false_expected += col("others") / 2 ^ col("code_bits")
  }
  code_probes[col("code_bits")] += col("probes")
  code_others[col("code_bits")] += col("others")
  if (col("code_bits") == 32)
    entry_bytes = col("entry_bytes")
  position_bytes = col("position_bytes")
  next
}
FILENAME ~ /transposition[\/]depth[.]csv$/ {
  if (col("table") == "yes" && col("men") == 32 && col("fen") ~ /^rnbqkbnr/ && col("nodes") <= 5e6) {
    opening_depth = col("depth")
    opening_nodes = col("nodes") / col("seconds")
    opening_stores = col("stores") / col("seconds")
  }
  next
}

FILENAME ~ /operations[.]csv$/ { if (col("men") == 7) seconds7 = col("cpu_s"); next }
FILENAME ~ /estimate[.]txt$/ && $1 == "KRBNvKRB" { krbnvkrb_slots = $2; krbnvkrb_mib = $3 }
FILENAME ~ /estimate5[.]txt$/ && $1 == "all" { memory5_mib = $3 }
FILENAME ~ /estimate5?[.]txt$/ { next }

FILENAME ~ /measure[\/]cells[.]csv$/ {
  g = col("group")
  cell[g, col("table"), col("codec"), g == "run-length" ? "" : setting("block"), col("side")] = col("bytes")
  steps[g] += col("bytes")
  if (g == "history")
    history[setting("block")] += col("bytes")
  if (g == "lookup" || g == "block-size")
    slowest(g, col("table"), g == "lookup" ? col("codec") : setting("block"), col("get_ns"))
  next
}
function slowest (g, table, of, ns) { # of both sides to move
  if (ns + 0 > time[g, table, of] + 0)
    time[g, table, of] = ns + 0
}

# all four tables of the sweep, both sides, by what is changed
FILENAME ~ /gains[\/]cells[.]csv$/ {
  g = col("group")
  if (g == "settings" || g == "numbering" && col("numbering") == "rows")
    gain[g == "settings" ? changed() : "rows"] += col("bytes")
  next
}
function changed (  what, i, n, k, is) {
  n = split ("order=sift merge=leaves match=cover nodes=sorted clusters=1 sums=no top=auto rounds=10 starts=0 polish=0 choices=1024", k, " ")
  for (i = 1; i <= n; i++) {
    split (k[i], is, "=")
    if (setting(is[1]) != is[2])
      what = what " " is[1] "=" setting(is[1])
  }
  return substr(what, 2)
}

FILENAME ~ /kristensen[.]csv$/ {
  row_of[++rows] = col("row")
  list[rows] = col("endings")
  next
}
FILENAME ~ /measured[.]csv$/ {
  states[col("ending")] = col("states")
  cpu[col("ending"), col("solver")] = col("cpu_seconds")
  next
}
FILENAME ~ /balance[.]csv$/ && col("ranks") == 4096 && col("variant") == "mixed+balanced" && !efficiency { efficiency = col("efficiency") }
FILENAME ~ /balance[.]csv$/ { next }
FILENAME ~ /table1-5[.]csv$/ { for (i = split ("without alg1 alg2", a, " "); i > 0; i--) table1[a[i]] += col(a[i]); next }
FILENAME ~ /captures[.]csv$/ { # KBvK is drawn throughout
  if (col("codec") != "lzma" || col("table") == "KBvK")
    next
  if (col("table") == col("ending"))
    own_lookup = col("lookup_ns")
  else {
    ratio = own_lookup / col("lookup_ns")
    capture_least = !capture_least || ratio < capture_least ? ratio : capture_least
    capture_most = ratio > capture_most ? ratio : capture_most
  }
  next
}
FILENAME ~ /orders-wdl[.]csv$/ {
  best += col("best_bytes")
  worst += col("worst_bytes")
  mean += col("mean_bytes")
  next
}
FILENAME ~ /staircase[.]csv$/ { if (col("metric") == "dtm") stairs[col("group")] += col("bytes"); next }
FILENAME ~ /obdd[\/]five[.]csv$/ {
  if (col("metric") == "dtm")
    five[col("ending")] = col("white_bytes") " " col("black_bytes") " " col("bytes")
  next
}
FILENAME ~ /obdd[\/]wdl-3-4[.]csv$/ { smallest[col("material")] = col("bytes"); next }
FILENAME ~ /repair[\/]wdl-3-4[.]csv$/ { optimal += col("optimal_bytes"); two[col("material")] = col("order_b") != "" ? col("optimal_bytes") : 0; next }
FILENAME ~ /one-sided-3-4[.]csv$/ { if (two[col("material")]) { both += two[col("material")]; one += col("optimal_bytes") } next }
FILENAME ~ /unreachable-variants[.]csv$/ && col("men") < 5 { next }
FILENAME ~ /unreachable(-variants)?[.]csv$/ { positions[col("men")] += col("positions"); unreachable[col("men")] += col("unreachable"); next }
FILENAME ~ /syzygy[\/]positions[.]csv$/ { burnside[col("men")] = col("positions"); next }
FILENAME ~ /syzygy[\/]metrics[.]csv$/ {
  key = col("table") SUBSEP col("metric")
  n = (col("metric") == "dtz50" ? col("smaller_side") : col("bytes")) + 0
  if (!(key in metric_bytes) || n < metric_bytes[key])
    metric_bytes[key] = n
  metric_positions[key] = col("positions")
  next
}

# ------------------------------------------------------------- writing

function sizes (folder, metric, command,   key, part, total, whole) {
  for (key in file_bytes) {
    split (key, part, SUBSEP)
    if (part[1] != folder)
      continue
    put(metric "." part[2] ".w", stream[folder, part[2], "w"], "bytes", command ", stream of White to move")
    put(metric "." part[2] ".b", stream[folder, part[2], "b"], "bytes", command ", stream of Black to move")
    whole = folder == "wdl" ? smallest[part[2]] : file_bytes[key]
    put(metric "." part[2] ".file", whole, "bytes", folder == "wdl" ? "papers/obdd/wdl-3-4.csv, whole file" : command ", whole file")
    total["w"] += stream[folder, part[2], "w"]
    total["b"] += stream[folder, part[2], "b"]
    total["file"] += whole
  }
  put(metric ".all.w", total["w"], "bytes", command ", streams of White to move")
  put(metric ".all.b", total["b"], "bytes", command ", streams of Black to move")
  put(metric ".all.file", total["file"], "bytes", folder == "wdl" ? "papers/obdd/wdl-3-4.csv, whole files" : command ", whole files")
}

function generation (i,   n, e, k, s, f, b, name) {
  n = split (list[i], e, " ")
  for (k = 1; k <= n; k++) {
    s += states[e[k]]
    f += cpu[e[k], "forward"]
    b += cpu[e[k], "parallel"]
    if (!((e[k], "forward") in cpu))
      f = ""
  }
  name = row_of[i]
  name = name ~ /3-man/ ? "3-man" : name ~ /[+]2/ ? "K+2" : name ~ /[+]1/ ? "K+1" : e[1]
  if (!s)
    return
  put("generate." name ".positions", s, "positions", "papers/retrograde/measured.csv")
  if (f) {
    put("generate." name ".forward_s", sprintf ("%.3f", f), "s", "papers/retrograde/measured.csv, forward")
    put("generate." name ".forward_us", sprintf ("%.3g", f / s * 1e6), "us", "papers/retrograde/measured.csv, forward")
  }
  put("generate." name ".backward_s", sprintf ("%.3f", b), "s", "papers/retrograde/measured.csv, parallel")
  put("generate." name ".backward_us", sprintf ("%.3g", b / s * 1e6), "us", "papers/retrograde/measured.csv, parallel")
}

function saved (key, with, without, from) {
  if (with && without)
    put(key, percent(1 - with / without), "%", from)
}

END {
  print "key,value,unit,from"
  sizes("wdl", "wdl", "diagrams in papers/obdd/wdl-two-streams-3-4.csv")
  sizes("dtm", "dtm", "diagrams in papers/obdd/dtm-3-4.csv")
  for (ending in five) {
    split (five[ending], a, " ")
    put("dtm." ending ".w", a[1], "bytes", "papers/obdd/five.csv, stream of White to move")
    put("dtm." ending ".b", a[2], "bytes", "papers/obdd/five.csv, stream of Black to move")
    put("dtm." ending ".file", a[3], "bytes", "papers/obdd/five.csv, whole file")
  }
  for (i = 1; i <= rows; i++)
    generation(i)

  sweep = "measure.conf"
  split ("KRvK KQvK KPvK KRvKP KQvKR", a, " ")
  for (i in a) {
    put("rle." a[i] ".w", cell["run-length", a[i], "rle", "", "w"], "bytes", sweep ", run-length")
    put("rle." a[i] ".b", cell["run-length", a[i], "rle", "", "b"], "bytes", sweep ", run-length")
    runs += cell["run-length", a[i], "rle", "", "w"] + cell["run-length", a[i], "rle", "", "b"]
    diagrams += stream["wdl", a[i], "w"] + stream["wdl", a[i], "b"]
  }
  if (runs)
    put("runs_by_diagram", sprintf ("%.1f", runs / diagrams), "times", sweep ", run-length, by the diagrams above")
  for (block = 65536; block >= 256 && steps["block-size"]; block /= 2)
    put("lzma_blocks.KRvKP." block, cell["block-size", "KRvKP", "lzma", block, "w"] + cell["block-size", "KRvKP", "lzma", block, "b"], "bytes",
         sweep ", block-size, both sides to move")
  if (time["block-size", "KRvKP", "16384"])
    put("lzma_access.per_halving", sprintf ("%.2f %.2f %.2f %.2f", time["block-size", "KRvKP", "8192"] / time["block-size", "KRvKP", "16384"],
                                             time["block-size", "KRvKP", "4096"] / time["block-size", "KRvKP", "8192"],
                                             time["block-size", "KRvKP", "2048"] / time["block-size", "KRvKP", "4096"],
                                             time["block-size", "KRvKP", "1024"] / time["block-size", "KRvKP", "2048"]),
         "times per halving from 16 kB", sweep ", block-size, median of get_ns")
  split ("KBBBvK KRRRvK KRvKP KQvKR KQvK", a, " ")
  for (i = 1; i <= 5; i++) {
    d = time["lookup", a[i], "obdd"]
    l = time["lookup", a[i], "lzma"]
    if (!d)
      continue
    put("lookup." a[i], sprintf ("%.3f", d / 1000), "us", sweep ", lookup, the slower side, median")
    put("block_lookup." a[i], sprintf ("%.1f", l / 1000), "us", sweep ", lookup, LZMA in blocks of 8 kB")
    most = d > most ? d : most
    least_ratio = !least_ratio || l / d < least_ratio ? l / d : least_ratio
    most_ratio = l / d > most_ratio ? l / d : most_ratio
  }
  if (most) {
    put("lookup.largest", sprintf ("%.3f", most / 1000), "us", sweep ", lookup")
    put("block_by_diagram.time", sprintf ("%.0f-%.0f", least_ratio, most_ratio), "times", sweep ", lookup")
  }
  if (history["2097152"]) {
    put("lzma_2M_16k.growth", percent(history["16384"] / history["2097152"] - 1), "%", sweep ", history, 30 endings with 4 men")
    put("lzma_2M_1M.growth", percent(history["1048576"] / history["2097152"] - 1), "%", sweep ", history")
    put("lzma_halving.loss", percent(history["32768"] / history["65536"] - 1) " " percent(history["16384"] / history["32768"] - 1) " "\
         percent(history["8192"] / history["16384"] - 1) " " percent(history["4096"] / history["8192"] - 1), "% per halving", sweep ", history")
    put("lzma_4k_1k.growth", percent(sqrt(history["1024"] / history["4096"]) - 1), "% a halving", sweep ", history, two halvings")
    put("lzma_16k_4k.growth", percent(history["4096"] / history["16384"] - 1), "%", sweep ", history")
  }
  for (key in file_bytes)
    if (key ~ /^lzma/)
      lzma += file_bytes[key]
  if (lzma)
    put("repair_by_lzma.saved", percent(1 - optimal / lzma), "%", "papers/repair/wdl-3-4.csv, RE-PAIR by LZMA in 16 kB with the same freedom")
  put("dtm_repair_by_plain_lzma.saved", percent(1 - stairs["10-initial"] / stairs["1-lzma"]), "%", "papers/staircase/staircase.csv, DTM, RE-PAIR with all freedom by plain LZMA")
  put("orders.worst_by_best", sprintf ("%.1f", worst / best), "times", "papers/repair/orders-wdl.csv, all sides together")
  put("orders.saved", percent(1 - best / mean), "%", "papers/repair/orders-wdl.csv, the best order against the mean")
  put("one_side.saved", sprintf ("%.2f", both / one), "times", "papers/repair, one side against both, endings with two different sides")
  if (capture_most)
    put("capture_probe.faster", sprintf ("%.1f-%.1f", capture_least, capture_most), "times", "papers/repair/captures.csv, LZMA, warm lookups; the gap of disk and memory is not in them")
  put("table1.without.bytes", table1["without"], "bytes", "papers/repair/table1-5.csv, 15 endings")
  put("table1.without.share", 100, "%", "by definition")
  put("table1.without.speed", 100, "%", "by definition")
  put("table1.alg1.bytes", table1["alg1"], "bytes", "papers/repair/table1-5.csv, 15 endings")
  put("table1.alg1.share", percent(table1["alg1"] / table1["without"]), "%", "papers/repair/table1-5.csv")
  put("table1.alg2.bytes", table1["alg2"], "bytes", "papers/repair/table1-5.csv, 15 endings")
  put("table1.alg2.share", percent(table1["alg2"] / table1["without"]), "%", "papers/repair/table1-5.csv")

  saved("merge.saved", gain[""], gain["merge=none"], "papers/obdd/gains.conf, against merge=none")
  saved("sifting.saved", gain[""], gain["order=pieces"], "papers/obdd/gains.conf, against order=pieces")
  saved("clusters.saved", gain["clusters=16"], gain[""], "papers/obdd/gains.conf, clusters=16")
  saved("nodes.ideal_saved", gain["nodes=ideal"], gain["nodes=edges"], "papers/obdd/gains.conf, nodes=ideal against edges")
  saved("numbering.saved", gain[""], gain["rows"], "papers/obdd/gains.conf, folded against rows")
  saved("all_steps.share", steps["kristensen"], steps["nothing"], "measure.conf, kristensen against nothing")
  for (men in positions)
    put("unreachable." men, sprintf ("%.3f", 100 * unreachable[men] / positions[men]), "%", men < 5 ? "papers/obdd/unreachable.csv, positions that no move leads to" : "papers/obdd/unreachable-variants.csv, a sample of each ending")
  for (ending in states) {
    tight += states[ending] * ((("wdl", ending) in slots) ? 1 : 0)
    product += slots["wdl", ending]
  }
  if (product)
    put("index.tight_by_square", percent(1 - tight / product), "%", "slots: placements of both kings (generator) against the product of squares")
  if (krbnvkrb_slots) {
    put("krbnvkrb.slots", krbnvkrb_slots, "slots", "subdef gen KRBNvKRB --estimate")
    put("krbnvkrb.bytes", sprintf ("%.2f", krbnvkrb_mib * 1.048576 / 1e6), "TB", "subdef gen KRBNvKRB --estimate --ranks 2039")
  }
  if (seconds7)
    put("operations.7", sprintf ("%.1e", 2.5e9 * seconds7), "operations", "papers/retrograde/operations.csv, all endings with 7 men, estimated: seconds at 2.5e9 ticks")
  if (memory5_mib)
    put("generate.memory_5", sprintf ("%.1f", memory5_mib / 1024), "GiB", "subdef gen --men 5 --estimate")
  put("syzygy.positions_6", burnside[6], "positions", "papers/syzygy/positions.csv, counted from the board's symmetries")
  for (key in metric_bytes) {
    split (key, a, SUBSEP)
    if (a[2] == "wdl50")
      unique += metric_positions[key]
    if (a[2] == "wdl50" || a[2] == "dtz50")
      both_metrics += metric_bytes[key]
  }
  if (unique)
    put("syzygy.density", sprintf ("%.2f", 8 * both_metrics / unique), "bits/position", "papers/syzygy/metrics.csv, 3 and 4 men: WDL50 and DTZ50 of one side to move")
  put("balance.efficiency_4096", efficiency, "of the ideal", "papers/retrograde/balance.csv, KQRvKQ scaled by 2640, 4096 ranks")
  if (false_expected) {
    put("entry.bytes", entry_bytes, "bytes", "papers/transposition/codes.csv")
    put("position.bytes", position_bytes, "bytes", "papers/transposition/codes.csv, sd_pos")
    put("codes.ratio", sprintf ("%.2f", false_matches / false_expected), "times 2^-bits", "papers/transposition/codes.csv, codes of 8 to 20 bits")
    for (bits in code_probes) # the greatest share of probes that find another position
      share = code_others[bits] / code_probes[bits] > share ? code_others[bits] / code_probes[bits] : share
    put("codes.interval_32", sprintf ("%.0f", 2 ^ 32 / 1e6 / share), "s", "papers/transposition/codes.csv, 2^32 over the share of probes that find another position")
    put("codes.interval_64", sprintf ("%.0f", 2 ^ 64 / 1e6 / 31557600 / share), "years", "papers/transposition/codes.csv, likewise")
  }
  if (opening_depth) {
    put("search.depth", opening_depth, "plies", "papers/transposition/depth.csv, initial position, 5 million nodes")
    put("search.nodes_per_s", sprintf ("%.0f", 1e5 * int (opening_nodes / 1e5)), "1/s", "papers/transposition/depth.csv, initial position")
    put("search.mb_per_s", sprintf ("%.0f", 8 * opening_stores / 1e6), "MB/s", "papers/transposition/depth.csv, initial position")
  }
  fixed("record.bits|16|bits|docs/deviations.md, Makhnychev 2012, 3.4\n" \
        "record.bytes|2|bytes|docs/deviations.md, Makhnychev 2012, 3.4\n" \
        "record.saved|16|bits|before coding\n" \
        "value_width|8|bits|what codecs get (docs/deviations.md, Zakharov 2015, 1.2); 16 where a table has more values\n" \
        "balance.group|32|ranks|subdef gen, --group\n" \
        "balance.period|1|s|subdef gen, --interval\n" \
        "build_block|262144|bytes|docs/deviations.md, Zakharov 2015, 1.2\n" \
        "lzma_block|16384|bytes|the baseline of reports\n" \
        "repair_block.dtm|1024|bytes|papers/repair\n" \
        "repair_block.wdl|128|bytes|papers/repair\n" \
        "syzygy.block_positions|65536|positions|syzygy/syzygy.h, SD_SYZYGY_BLOCK_SLOTS\n" \
        "syzygy.sub_tables|4||syzygy/index.c, files that are read and written\n" \
        "syzygy.after_capture|+-1 or +-101|ply|syzygy/probe.c\n" \
        "syzygy.map_width|8|bits|syzygy/header.c, also 16\n" \
        "syzygy.offset|100|ply|syzygy/pairs.c\n" \
        "general_compressors|6|codecs|lzma, zstd, brotli, zlib, bzip2, lz4")
}
