#!/usr/bin/env bash
# Test 7: usage: exports.sh PLUGIN [sanitizer]. One exported symbol, none of them unique; needs only allowed libraries
# and no newer C or C++ runtime than the system the project is built for.
set -euo pipefail

plugin=$1 sanitizer=${2-} failed=0
readonly NEEDED='^(libwebgpu_dawn\.so(\..*)?|libdnnl\.so(\..*)?|libgomp\.so\.1|libstdc\+\+\.so\.6|libgcc_s\.so\.1|libm\.so\.6|libc\.so\.6|ld-linux.*|libxxhash\.so(\..*)?|libhwy\.so(\..*)?)$'
# Newest symbol versions of the suite in ./dev; raising one means that hosts on older systems can no longer load the plugin.
readonly NEWEST_GLIBC=2.43 NEWEST_GLIBCXX=3.4.35

complain() { echo "$*" && failed=1; }

exported=$(nm -D --defined-only -- "$plugin")
[[ $(wc -l <<<"$exported") == 1 && $exported =~ ^[0-9a-f]+\ T\ dbk_entry(@@?.*)?$ ]] || complain "exports are not just dbk_entry:"$'\n'"$exported"
! readelf -Ws -- "$plugin" | grep -w UNIQUE || complain "unique symbols keep a library mapped after dlclose"
! readelf -Wd -- "$plugin" | grep -E 'RPATH|RUNPATH' || complain "a search path is built in"
! readelf -Wd -- "$plugin" | grep TEXTREL || complain "text relocations"

while read -r library; do
  [[ $library =~ $NEEDED ]] || [[ -n $sanitizer && $library =~ ^lib(asan|tsan|ubsan)\.so ]] || complain "needs $library, which is not on the list"
done < <(readelf -Wd -- "$plugin" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')

newest() { # PREFIX: the newest version of that runtime that the plugin asks for
  readelf -WV -- "$plugin" | sed -nE "s/.*Name: ${1}_([0-9.]+).*/\\1/p" | sort -V | tail -n 1
}
older_or_equal() { [[ $(printf '%s\n' "$1" "$2" | sort -V | tail -n 1) == "$2" ]]; }

glibc=$(newest GLIBC) glibcxx=$(newest GLIBCXX)
[[ -n $glibc ]] || complain "no GLIBC version found: the check itself is broken"
older_or_equal "$glibc" "$NEWEST_GLIBC" || complain "needs GLIBC_$glibc, allowed is $NEWEST_GLIBC"
older_or_equal "${glibcxx:-0}" "$NEWEST_GLIBCXX" || complain "needs GLIBCXX_$glibcxx, allowed is $NEWEST_GLIBCXX"
echo "GLIBC_$glibc GLIBCXX_${glibcxx:-none}"
exit "$failed"
