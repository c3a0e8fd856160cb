#!/usr/bin/env bash
# Test 6: usage: abi_types.sh write ABI_DIR | abi_types.sh header ABI_DIR | abi_types.sh plugin ABI_DIR PLUGIN
# write: the types of the header as libabigail's XML, without paths, lines and other things that differ by machine.
# header: today's header does not differ from the newest frozen baseline, not even harmlessly.
# plugin: nor does what the plugin's own debug information says of dbk_entry. Both must notice changes made on purpose.
set -euo pipefail

here=$(dirname -- "${BASH_SOURCE[0]}")
dir=$(mktemp -d)
trap 'rm -rf -- "$dir"' EXIT
for tool in gcc abidw abidiff; do
  command -v "$tool" >/dev/null || { echo "skipped: $tool is not installed" && exit 77; }
done

# Always the same compiler: others describe the same types a little differently. A relative name of the source: it is
# written into the debug information and from there into the baseline.
build() { # HEADER_DIR LIBRARY
  local include
  include=$(realpath -- "$1")
  (cd -- "$here" && gcc -std=c99 -g -shared -fPIC -I"$include" abi_types.c -o "$2")
}

write() { # HEADER_DIR
  build "$1" "$dir/types.so"
  abidw --no-corpus-path --no-comp-dir-path --no-show-locs --no-elf-needed --no-write-default-sizes --no-parameter-names \
    --type-id-style hash "$dir/types.so"
}

# No --headers-dir: the baseline has no locations, and abidiff then takes every type for a private one and sees nothing.
options=(--ignore-soname)
differ() { # BASELINE LIBRARY
  ! abidiff "${options[@]}" "$1" "$2"
}

# The baseline of a header that was changed by sed must differ from the library.
must_notice() { # ABI_DIR LIBRARY SED_PROGRAM
  mkdir -p "$dir/changed"
  sed "$3" "$1/daybreak.h" >"$dir/changed/daybreak.h"
  ! cmp -s "$1/daybreak.h" "$dir/changed/daybreak.h" || { echo "the header has no line for: $3" && return 1; }
  write "$dir/changed" >"$dir/changed.abi"
  differ "$dir/changed.abi" "$2" >/dev/null || { echo "not noticed: $3" && return 1; }
}

check() { # ABI_DIR LIBRARY
  local baseline
  baseline=$(ls -v -- "$1"/frozen/*/dbk_entry.abi | tail -n 1)
  if differ "$baseline" "$2"; then return 1; fi
  must_notice "$1" "$2" 's/uint32_t size; \/\* bytes of this table/uint64_t size; \/*/'
  must_notice "$1" "$2" 's/uint64_t byte_off, byte_len;/uint64_t byte_off;/'
}

case $1 in
  write) write "$2" ;;
  header)
    build "$2" "$dir/today.so"
    options+=(--harmless)
    check "$2" "$dir/today.so"
    must_notice "$2" "$dir/today.so" 's/int64_t min, max, multiple_of;/uint64_t min, max, multiple_of;/'
    must_notice "$2" "$dir/today.so" 's/uint32_t off, len;/uint32_t len, off;/'
    ;;
  plugin)
    readelf -WS -- "$3" | grep -q '\.debug_info' || { echo "skipped: the plugin has no debug information" && exit 77; }
    # The witness of abi_types.c is not in the plugin.
    printf '[suppress_function]\n  name = dbk_table_elements\n' >"$dir/witness"
    options+=(--suppr "$dir/witness")
    check "$2" "$3"
    ;;
esac
