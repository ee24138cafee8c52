# Sourced by tests of pages. look_at BUDGET PAGE: opens an address in headless Chromium, dark and light, 390 and 1200 pixels wide, for
# BUDGET milliseconds; PAGE WIDTH prints the address of a page that frames the tested one and shows "says width WIDTH LOOK faults 0 ".
# Sets failed=1 after a fault or a line on the console; skips (77) where Chromium does not run. Needs $chromium and $work.
look_at () {
  for look in 0 1; do
    for width in 390 1200; do
      timeout 120 "$chromium" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --user-data-dir="$work/profile" --no-first-run \
        --window-size=1300,1000 --blink-settings=preferredColorScheme=$look --enable-logging=stderr --virtual-time-budget=$1 \
        --dump-dom "$($2 $width)" >dom.html 2>log.txt
      status=$?
      if [ $status -ne 0 ] && ! grep -q 'says width' dom.html; then
        if [ "$failed$look$width" = 00390 ]; then echo "Chromium is there and does not run here"; tail -3 log.txt; exit 77; fi
      fi
      case $look in 0) name=dark ;; *) name=light ;; esac
      if grep -q "says width $width $name faults 0 " dom.html && ! grep 'CONSOLE' log.txt; then echo "ok $width $name"
      else failed=1; echo "FAILED $width $name: $(grep -o 'says width.*' dom.html | head -c 600)"; grep 'CONSOLE' log.txt; fi
    done
  done
}
