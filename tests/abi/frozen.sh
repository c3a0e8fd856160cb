#!/usr/bin/env bash
# Test 1: usage: frozen.sh check ABI_DIR LAYOUT_DIR | frozen.sh freeze ABI_DIR LAYOUT_DIR GENERATOR
# check: the newest frozen header equals the header of today, until a release starts the next directory.
# freeze (target freeze_abi): writes header, layout and type baseline of today into the newest version's files.
# After a release, copy the newest frozen directory and layout file to the next number first: then the old ones stay.
set -euo pipefail

here=$(dirname -- "${BASH_SOURCE[0]}")
newest=$(ls -vd -- "$2"/frozen/*/ | tail -n 1)
version=$(basename -- "$newest")

case $1 in
  check)
    diff -u -- "$newest/daybreak.h" "$2/daybreak.h" ||
      { echo "abi/daybreak.h differs from frozen/$version: before a release run the target freeze_abi; after it, start frozen/<next>" && exit 1; }
    for dir in "$2"/frozen/*/; do
      version=$(basename -- "$dir")
      [[ -f $dir/dbk_entry.abi && -f $3/$version.txt ]] || { echo "frozen/$version lacks dbk_entry.abi or its layout file" && exit 1; }
      grep -q "^## $version" "$2/CHANGELOG.md" || { echo "abi/CHANGELOG.md does not mention $version" && exit 1; }
    done
    ;;
  freeze)
    cp -- "$2/daybreak.h" "$newest/daybreak.h"
    "$4" >"$3/$version.txt"
    "$here/abi_types.sh" write "$2" >"$newest/dbk_entry.abi"
    ;;
esac
