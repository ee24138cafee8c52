#!/bin/sh
# Completion in a real bash and a real zsh, and what the program answers them: commands, options, words of options, codecs and their
# settings, endings on the path, presets; "did you mean" where a word is known to nobody.
build=$(cd "${SD_BUILDDIR:-.}" && pwd) source=${SD_SRCDIR:-.}
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
mkdir "$work/t" && touch "$work/t/KRvKP.dtm.sdt" "$work/t/KRvKP.wdl.sdt" "$work/t/KQvK.rtbw" "$work/t/kxvk.sdt" "$work/t/notes.txt"
cd "$work" || exit 99
unset SUBDEF_PATH
PATH=$build/tools:$PATH
failures=0
fail () { echo "FAIL: $*" >&2; failures=$((failures + 1)); }
# answers WORDS WORD...: the program completes the last word to WORDS, in their order (descriptions left out)
answers () {
  want=$1
  shift
  got=$(subdef --complete "$@" 2>&1 | cut -f1 | tr '\n' ' ')
  [ "$got" = "$want${want:+ }" ] || fail "subdef $*<TAB>: '$got', expected '$want'"
}
# offers WORD WORD...: among others
offers () {
  want=$1
  shift
  subdef --complete "$@" | cut -f1 | grep -qxF -e "$want" || fail "subdef $*<TAB> does not offer '$want': $(subdef --complete "$@" | head -3)"
}
answers 'reformat recompress report' re
answers 'reformat' ref
answers '' frob
answers '--codec --coding' reformat --cod
answers 'repair' reformat --codec rep
answers '--codec=repair' reformat --codec=rep
answers 'repair' reformat KRvKP -c rep
offers joint reformat --sides ''
answers 'small' reformat --preset s
answers 'small fast' reformat --preset ''
answers 'block=' reformat --set blo
answers 'block=128,initial=' reformat --set block=128,ini
answers 'block=128,initial=ternary' reformat --set block=128,initial=ter
answers 'initial=alg2+full' reformat --set initial=alg2+fu
answers 'nodes=' reformat --codec obdd --set nod
answers 'illegal+capture' reformat --freedom illegal+cap
answers 'rows/hilbert' reformat --numbering rows/h
answers 'wdl wdl50' reformat -m w
answers 'wdl wdl50' import KRvK.rtbw --metric w
answers 'rtbw rtbz' reformat --to r
answers 'sdt,rtbw' reformat --to sdt,rtbw
answers 'dtm dtz50 dtc' gen --metric d
answers 'parallel' gen --solver p
offers KRvKP gen KR
offers KQvK gen kq
answers 'KRvKP :files' reformat --tables t kr
offers KRvKP info --tables=t KR
offers :files info --tables t ''
# the folder before the option is typed; where no table lies, small endings
mkdir none && cd t || exit 99
answers 'KRvKP :files' info kr
cd ../none || exit 99
offers KRvKP info KR
answers ':files' info KRPvKR
cd .. || exit 99
SUBDEF_PATH=$work/t
export SUBDEF_PATH
answers 'KRvKP :files' reformat kr
unset SUBDEF_PATH
offers :files probe --input ''
offers :files reformat -o ''
answers '' serve ''
offers blocks sweep bl
offers decode bench de
offers repair bench grid.npy re
answers 'u16' import --type u1
answers '' reformat --quiet --frob
subdef --complete reformat --cod | grep -q "^--codec	the codec" || fail "options have no description"
# every command, option and word with a list is completed: nothing is left out of the tables
for command in $(subdef --help | sed -n 's/^  \([a-z]*\)  *[a-z].*/\1/p'); do
  [ "$command" = subdef ] && continue
  offers "$command" "$command"
  for option in $(subdef "$command" --help | sed -n 's/^ *\(-.,\)* *--\([a-z-]*\).*/\2/p'); do
    case $option in usage | version | ranks) continue ;; esac
    offers "--$option" "$command" "--$option"
  done
done

# what is mistyped
meant () { # meant STATUS PATTERN WORD...
  want=$1 pattern=$2
  shift 2
  subdef "$@" >out 2>err
  got=$?
  [ $got -eq "$want" ] && grep -q -e "$pattern" err && [ ! -s out ] || fail "subdef $*: exit $got, $(cat out err)"
}
meant 2 "^subdef: unknown command 'prob'; did you mean \"probe\"?$" prob
meant 2 "^subdef: unknown command 'gne'; did you mean \"gen\"?$" gne
meant 2 "^subdef: unknown command 'frobnicate'; 'subdef --help' lists them$" frobnicate
meant 2 "^subdef reformat: unknown option '--codce'; did you mean \"--codec\"?$" reformat KRvK --codce repair
meant 2 "^subdef gen: unknown option '--tables'; --help lists them$" gen KRvK --tables t
meant 2 "^subdef reformat: --codec repiar: expected .*; did you mean \"repair\"?$" reformat KRvK --codec repiar
meant 2 "^subdef gen: --codec lzam: expected .*; did you mean \"lzma\"?$" gen KRvK --codec lzam
meant 2 "^subdef reformat: codec repair: \"blok=3\": no such setting; .*; did you mean \"block\"?$" reformat KRvK --set blok=3
meant 2 "unknown source 'capturs': .*; did you mean \"capture\"?$" reformat KRvK --freedom illegal+capturs
meant 2 "; did you mean \"dtz50\"?$" gen KRvK --metric dtz
meant 1 "^subdef sweep: blokcs: neither a file nor one of the sweeps .*staircase.*; did you mean \"blocks\"?$" sweep blokcs -o x.db
meant 2 "^subdef gen: material \"KRP\": no \"v\" .*; did you mean \"KRPvK\"?$" gen KRP
meant 2 "^subdef reformat: .*; did you mean \"KRvKP\"?$" reformat KR-KP --tables t
meant 1 "^subdef info: KRvKX: no file of that name, and no ending: .*unknown letter 'X'" info KRvKX
meant 1 "^subdef verify: KRP: no file of that name, and no ending: .*; did you mean \"KRPvK\"?$" verify KRP

# one ending, however it is written: the same file, and every command finds it
for name in kqvk KQK kkq KvKQ; do
  rm -rf g w
  subdef gen "$name" -q -o g >out 2>&1 && [ -f g/KQvK.dtm.sdt ] || fail "gen $name: $(cat out)"
  subdef reformat "$name" -q --tables g -o w >out 2>&1 && [ -f w/KQvK.wdl.sdt ] || fail "reformat $name: $(cat out)"
  set -- info verify "simulate --ranks 64"
  [ "$name" != kqvk ] || set -- "$@" "limits --quick" "bench decode -m dtm" "bench gen" "bench codecs -m dtm" # they take seconds
  for command in "$@"; do
    # shellcheck disable=SC2086
    subdef $command "$name" --tables g >out 2>&1 || fail "$command $name: $(cat out)"
  done
  subdef dump "$name" out.bin --tables g 2>out || fail "dump $name: $(cat out)"
  echo "groups = ( { name = \"a\"; tables = \"$name\"; codec = \"rle\"; } );" >a.conf
  subdef sweep a.conf --tables g --dry-run -o none.db >out 2>&1 && grep -q KQvK out || fail "sweep $name: $(cat out)"
done

# a line under way in a real bash: what readline would put in the place of the last word
if command -v bash >/dev/null; then
  typed () { # typed LINE WORDS
    got=$(bash -c '. "$1"; COMP_LINE=$2 COMP_POINT=${#2}; _subdef; printf "%s\n" "${COMPREPLY[@]}"' - "$source/tools/completion/subdef" "$1" | tr '\n' ' ')
    [ "$got" = "$2 " ] || fail "bash: $1<TAB>: '$got', expected '$2'"
  }
  typed 'subdef refo' reformat
  typed 'subdef reformat --codec rep' repair
  typed 'subdef reformat --codec=rep' repair
  typed 'subdef reformat --set block=128,initial=ter' ternary
  typed 'subdef reformat --tables t kr' KRvKP
  typed 'subdef info --tables t t/no' t/notes.txt
  typed 'subdef-gen --solver p' parallel
  typed "$build/tools/subdef gen --metric dtz" dtz50
  bash -c '. "$1"; complete -p subdef subdef-gen' - "$source/tools/completion/subdef" | grep -c _subdef | grep -qx 2 || fail "bash: the function is of neither program"
fi

# and in a zsh that somebody types into
if command -v zsh >/dev/null && zsh -fc 'zmodload zsh/zpty' 2>/dev/null; then
  keys () { # keys LINE-WITH-TABS LINE
    rm -f line
    zsh -fc 'zmodload zsh/zpty
      zpty shell zsh -f -i
      zpty -w shell "PS1=; fpath=($1 \$fpath); autoload -Uz compinit; compinit -u -d $PWD/dump; LISTMAX=0"
      zpty -w shell "keep () { print -r -- \"\$BUFFER\" >line }; zle -N keep; bindkey \"^G\" keep"
      zpty -n -w shell "$2"$'"'\\a'"'
      for i in {1..300}; do zpty -r -t shell >/dev/null; [[ -s line ]] && break; sleep 0.1; done
      zpty -d shell' - "$source/tools/completion" "$(printf "$1")"
    got=$(cat line 2>/dev/null)
    [ "$got" = "$2" ] || fail "zsh: $1: '$got', expected '$2'"
  }
  keys 'subdef refo\t' 'subdef reformat '
  keys 'subdef reformat --codec rep\t' 'subdef reformat --codec repair '
  keys 'subdef reformat --tables t kr\t' 'subdef reformat --tables t KRvKP '
  keys 'subdef reformat --set blo\t' 'subdef reformat --set block='
  keys 'subdef info t/no\t' 'subdef info t/notes.txt '
fi
exit $((failures > 0))
