#!/usr/bin/env bash
# Test 7: usage: layering.sh SOURCE_DIR | layering.sh self-test. Dependencies point one way; an include that points the
# other way fails. abi/ knows nothing of ours, clients know only abi/, plugin/gpu alone knows Dawn, plugin/graph no OS.
set -euo pipefail

failed=0
sources() { # DIRECTORY...: what a compiler reads
  local dir
  for dir in "$@"; do
    [[ ! -d $dir ]] || find "$dir" -path '*/frozen' -prune -o -type f \( -name '*.h' -o -name '*.hpp' -o -name '*.c' -o -name '*.cpp' -o -name '*.inc' \) -print
  done
}
forbid_text() { # WHY PATTERN FILE...
  local why=$1 pattern=$2 hits
  shift 2
  (($# > 0)) || return 0
  if hits=$(grep -nHE -- "$pattern" "$@"); then
    echo "$why:"$'\n'"$hits"
    failed=1
  fi
}
forbid() { # WHY INCLUDED FILE...
  forbid_text "$1" "^[[:space:]]*#[[:space:]]*include[[:space:]]*[<\"]($2)[\">]" "${@:3}"
}
files() { mapfile -t found < <(sources "$@"); }

check() { # SOURCE_DIR
  cd -- "$1"
  local ours='(\.\./)*(plugin|kernels|host_fallback|host|tests|bench)/.*' dawn='(webgpu|dawn|vulkan)/.*|webgpu(_cpp)?\.h'
  files abi && forbid "abi/ includes something of ours" "$ours|\.\./.*" "${found[@]}"
  files host examples bindings tests/abi && forbid "a client of the ABI includes the plugin" '(\.\./)*(plugin|kernels|host_fallback)/.*' "${found[@]}"
  # Beside the plugin, the baseline of the benchmarks and the compile check of kernel texts talk to Dawn, and a test's layer to Vulkan.
  files abi host host_fallback kernels examples tests bench &&
    mapfile -t found < <(printf '%s\n' "${found[@]}" | grep -vx 'bench/naive_matmul.cpp\|tests/wgsl/compile_test.cpp\|tests/abi/driver_layer.c') &&
    forbid "only plugin/gpu may include Dawn" "$dawn" "${found[@]}"
  files plugin && mapfile -t found < <(printf '%s\n' "${found[@]}" | grep -v '^plugin/gpu/')
  forbid "only plugin/gpu may include Dawn" "$dawn" "${found[@]}"
  files plugin/graph && forbid "plugin/graph makes no OS calls and knows no device" \
    "(sys|arpa|netinet|linux)/.*|(unistd|fcntl|dlfcn|pthread|signal|poll)\.h|thread|mutex|condition_variable|filesystem|fstream|iostream|(\.\./)*(plugin/)?(gpu|cpu)/.*" "${found[@]}"
  forbid_text "plugin/graph makes no OS calls and knows no device" \
    '\b(getenv|fopen|mmap|dlopen|syscall|pthread_[a-z_]+|printf|fprintf)[[:space:]]*\(|std::(thread|mutex|cout|cerr)\b|\b(wgpu::|WGPU[A-Z])' "${found[@]}"
  files plugin kernels host_fallback && forbid "the plugin includes a client" '(\.\./)*(host|examples|tests|bench)/.*' "${found[@]}"
  files abi && ((${#found[@]} > 0)) || { echo "no sources in $1/abi: wrong directory?" && failed=1; }
}

self_test() { # each rule notices its own violation
  local dir row
  dir=$(mktemp -d)
  # shellcheck disable=SC2064  # the directory of now
  trap "rm -rf -- '$dir'" EXIT
  for row in 'abi "plugin/guard.h"' 'host "../plugin/entry.h"' 'examples "kernels/a.h"' 'plugin <webgpu/webgpu_cpp.h>' 'plugin/graph <unistd.h>' \
    'plugin/graph "gpu/device.h"' 'plugin <vulkan/vulkan.h>' 'tests/abi "../../plugin/x.h"' 'host <dawn/native/DawnNative.h>' 'plugin "host/loader.h"'; do
    rm -rf -- "$dir/src" && mkdir -p "$dir/src/abi" "$dir/src/plugin/gpu" "$dir/src/${row%% *}"
    echo '#include <stdint.h>' >"$dir/src/abi/a.h" && echo '#include <webgpu/webgpu_cpp.h>' >"$dir/src/plugin/gpu/a.cpp"
    (check "$dir/src" && exit "$failed") >/dev/null || { echo "refuses what is allowed" && return 1; }
    echo "#include ${row#* }" >"$dir/src/${row%% *}/b.cpp"
    ! (check "$dir/src" && exit "$failed") >/dev/null || { echo "not noticed: $row" && return 1; }
  done
  rm "$dir/src/plugin/b.cpp" && mkdir -p "$dir/src/plugin/graph"
  for row in 'auto x = getenv("A");' 'std::mutex m;' 'wgpu::Device d;'; do
    echo "$row" >"$dir/src/plugin/graph/b.cpp"
    ! (check "$dir/src" && exit "$failed") >/dev/null || { echo "not noticed: $row" && return 1; }
  done
}

if [[ $1 == self-test ]]; then self_test; else check "$1"; fi
exit "$failed"
