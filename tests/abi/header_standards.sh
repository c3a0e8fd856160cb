#!/usr/bin/env bash
# Test 4: usage: header_standards.sh ABI_DIR. Every header compiles alone and twice, without a warning, in every
# standard it promises, by gcc and clang. -Wpadded proves that no struct has padding the layout rules do not show.
set -euo pipefail

abi_dir=$1
dir=$(mktemp -d)
trap 'rm -rf -- "$dir"' EXIT
for compiler in gcc g++ clang clang++; do
  command -v "$compiler" >/dev/null || { echo "skipped: $compiler is not installed" && exit 77; }
done

compile() { # COMPILER STANDARD HEADER FLAGS...
  local source=$dir/use.c
  [[ $1 == *++ ]] && source=$dir/use.cpp
  # A use, so that the unit is not empty, which -pedantic would mention.
  printf '#include "%s"\n#include "%s"\nint use(void);\nint use(void) { return (int)sizeof(dbk_api); }\n' "$3" "$3" >"$source"
  "$1" -std="$2" -Wall -Wextra -pedantic -Werror "${@:4}" -I"$abi_dir" -fsyntax-only "$source" ||
    { echo "$1 -std=$2 refuses $3" && return 1; }
}

strict=(-Wpadded -Wconversion -Wshadow -Wundef)
for standard in c99 c11 c17 c23; do
  compile gcc "$standard" daybreak.h "${strict[@]}" -Wstrict-prototypes
  compile clang "$standard" daybreak.h "${strict[@]}" -Wstrict-prototypes
done
for standard in c++11 c++14 c++17 c++20 c++23; do
  compile g++ "$standard" daybreak.h "${strict[@]}"
  compile clang++ "$standard" daybreak.h "${strict[@]}"
done
# The header needs nothing but <stdint.h>, so a freestanding compiler takes it too.
compile gcc c99 daybreak.h -ffreestanding
# The C++ layer as a whole by both, and each of its parts alone by one of them, which is slow enough.
for standard in c++20 c++23; do
  compile g++ "$standard" daybreak.hpp
  compile clang++ "$standard" daybreak.hpp
done
for header in "$abi_dir"/daybreak_*.hpp; do
  compile g++ c++20 "$(basename "$header")"
done

# The flags do find padding, or the runs above would prove nothing.
printf 'struct padded { char a; long b; };\n' >"$dir/padded.h"
! "${CC:-gcc}" -std=c99 -Wpadded -Werror -fsyntax-only -x c "$dir/padded.h" 2>/dev/null
