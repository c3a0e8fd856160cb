#!/usr/bin/env bash
# Test 5: usage: layout.sh check GENERATOR HEADER GOLDEN_DIR | layout.sh grows GOLDEN_DIR | layout.sh self-test
# check: the generator prints what the newest golden file says, and lists every struct of the header.
# grows: each golden file keeps the one before it as a prefix, struct by struct. self-test: that rule can fail.
set -euo pipefail

versions() { ls -v -- "$1"/*.txt; }

check() { # GENERATOR HEADER GOLDEN_DIR
  local newest
  newest=$(versions "$3" | tail -n 1)
  "$1" | diff -u -- "$newest" -
  diff -u <(sed -n 's/^} \(dbk_[a-z_]*\);$/\1/p' "$2") <("$1" | sed -n 's/^\(dbk_[a-z_]*\) .*/\1/p')
}

# Members of a struct of the older file must open the same struct of the newer one; alignment stays, size never shrinks.
keeps() { # OLDER NEWER
  awk '
    function key(name) { sub(/\..*/, "", name); return name }
    $1 !~ /\./ { if (FNR == NR) { size[$1] = $2; align[$1] = $3 } else { new_size[$1] = $2; new_align[$1] = $3 } next }
    FNR == NR { old[key($1), old_count[key($1)]++] = $0; next }
    { new[key($1), new_count[key($1)]++] = $0 }
    END {
      for (s in size) {
        if (!(s in new_size)) { print s " is gone"; bad = 1; continue }
        if (new_size[s] < size[s] || new_align[s] != align[s]) { print s " shrank or changed its alignment"; bad = 1 }
        for (i = 0; i < old_count[s]; i++)
          if (new[s, i] != old[s, i]) { print s ": \"" old[s, i] "\" became \"" new[s, i] "\""; bad = 1 }
      }
      exit bad
    }' "$1" "$2"
}

grows() { # GOLDEN_DIR
  local file older=''
  while read -r file; do
    [[ -z $older ]] || keeps "$older" "$file"
    older=$file
  done < <(versions "$1")
  [[ -n $older ]]
}

self_test() {
  local dir
  dir=$(mktemp -d)
  # shellcheck disable=SC2064  # the directory of now
  trap "rm -rf -- '$dir'" EXIT
  printf 'a 8 4\na.x 0 4\na.y 4 4\n' >"$dir/1.0.txt"
  printf 'a 12 4\na.x 0 4\na.y 4 4\na.z 8 4\nb 4 4\nb.x 0 4\n' >"$dir/1.2.txt"
  printf 'a 16 4\na.x 0 4\na.y 4 4\na.z 8 4\na.w 12 4\nb 4 4\nb.x 0 4\n' >"$dir/1.10.txt"
  (grows "$dir") || { echo "an appended member was refused" && return 1; }
  local change
  for change in 's/^a.y 4 4/a.y 4 8/' '/^a.y/d' '/^a/d' 's/^a 12 4/a 12 8/' 's/^a 12 4/a 4 4/' 's/a.x 0 4/a.q 0 4/'; do
    sed "$change" "$dir/1.2.txt" >"$dir/changed"
    ! keeps "$dir/1.0.txt" "$dir/changed" >/dev/null || { echo "not noticed: $change" && return 1; }
  done
  ! keeps "$dir/1.10.txt" "$dir/1.2.txt" >/dev/null || { echo "a removed member was not noticed" && return 1; }
}

case $1 in
  check) check "$2" "$3" "$4" ;;
  grows) grows "$2" ;;
  self-test) self_test ;;
esac
