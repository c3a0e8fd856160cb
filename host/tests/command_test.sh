#!/usr/bin/env bash
# usage: command_test.sh DAYBREAK PLUGIN ONNX_TESTDATA. The `daybreak` command on models: exit statuses, messages, files.
# Status 0 only when what was asked happened; errors go to stderr and name the file, node, input or option.
set -uo pipefail

daybreak=$1 nodes=$3/node
export DAYBREAK_PLUGIN=$2 DAYBREAK_DEVICE=cpu
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
failed=0

matches() { [[ -z $1 ]] || grep -qE -- "$1" "$2"; } # PATTERN FILE
# Runs the command; STATUS is its exit status, OUT and ERR are patterns that its two streams match ("" is anything).
expect() { # STATUS OUT ERR ARGS...
  local status=$1 out=$2 err=$3 got
  shift 3
  printf %s "${input-}" | timeout 60 "$daybreak" "$@" >"$work/out" 2>"$work/err"
  got=$?
  if [[ $got != "$status" ]] || ! matches "$out" "$work/out" || ! matches "$err" "$work/err"; then
    echo "FAIL: daybreak $*"
    echo "  status $got, expected $status; output should match /$out/, errors /$err/"
    head -n 5 "$work/out" "$work/err" | cut -c1-300
    failed=1
  fi
}
json() { # EXPRESSION: about the last output, as `d`
  python3 -c "import json, sys; d = json.load(open(sys.argv[1])); sys.exit(not ($1))" "$work/out" || { echo "FAIL: $1" && failed=1; }
}

relu=$nodes/test_relu/model.onnx add=$nodes/test_add/model.onnx branch=$nodes/test_if/model.onnx
decoder=$nodes/test_image_decoder_decode_bmp_rgb/model.onnx # an op that no device has
printf '\x93NUMPY\x01\x00\x46\x00%-69s\n' "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4, 5), }" >"$work/x.npy"
head -c 240 /dev/zero >>"$work/x.npy"
head -c 40 "$relu" >"$work/cut.onnx"
echo 'not a model at all' >"$work/text.onnx"

# y = Reshape(x[rows, 3], s[2])
PYTHONPATH=$(dirname "$0")/../models python3 - "$work/reshaped.onnx" <<'END' || failed=1
import sys
from onnx_writer import FLOAT, INT64, GraphWriter
g = GraphWriter("reshaped", 17)
g.node("Reshape", g.input("x", FLOAT, ["rows", 3]), g.input("s", INT64, [2]), output="y")
g.output("y", FLOAT, ["a", "b"])
g.save(sys.argv[1])
END

# y = Expand(x[1], s[1])
PYTHONPATH=$(dirname "$0")/../models python3 - "$work/expanded.onnx" <<'END' || failed=1
import sys
from onnx_writer import FLOAT, INT64, GraphWriter
g = GraphWriter("expanded", 17)
g.node("Expand", g.input("x", FLOAT, [1]), g.input("s", INT64, [1]), output="y")
g.output("y", FLOAT, ["a"])
g.save(sys.argv[1])
END

# y[rows, 5] = x[rows, 4] w[4, 5]
PYTHONPATH=$(dirname "$0")/../models python3 - "$work/open_product.onnx" <<'END' || failed=1
import sys
from onnx_writer import FLOAT, GraphWriter
g = GraphWriter("open_product", 17)
g.node("MatMul", g.input("x", FLOAT, ["rows", 4]), g.input("w", FLOAT, [4, 5]), output="y")
g.output("y", FLOAT, ["rows", 5])
g.save(sys.argv[1])
END

# ---- check ----
expect 0 ': 1 node: 1 on the device' '' check "$relu"
expect 0 'device node 0 .*\(Relu\)' '' check --all "$relu"
expect 0 'runs: 3 nodes: ' '' check "$branch"
expect 1 "no +node 0 .*\(ImageDecoder\)" 'does not run it, for the reasons above' check "$decoder"
expect 1 '' 'NOT_FOUND: .missing.onnx.: No such file' check missing.onnx
expect 1 '' "DATA_LOSS: .*cut.onnx': byte 18: graph of 75 bytes runs past the end" check "$work/cut.onnx"
expect 1 '' 'text.onnx' check "$work/text.onnx"
expect 1 '' 'Is a directory' check "$work"
while IFS='|' read -r format bytes; do # files that are taken for ONNX
  printf "$bytes" >"$work/other.onnx"
  expect 1 '' "INVALID_ARGUMENT: .*other.onnx': this is $format.*, not ONNX" check "$work/other.onnx"
done <<'END'
a GGUF file|GGUF\x03\x00\x00\x00\x05
a TensorFlow Lite model|\x1c\x00\x00\x00TFL3\x14\x00
a model in ONNX Runtime's own format|\x20\x00\x00\x00ORTM\x00\x00
a zip archive|PK\x03\x04\x00\x00
a pickle|\x80\x02\x8a\x0al\xfc\x9c\x46
a safetensors file|\x58\x00\x00\x00\x00\x00\x00\x00{"w":{}}
a Git LFS pointer|version https://git-lfs.example/spec/v1\noid sha256:00\n
a gzip file|\x1f\x8b\x08\x00\x00
a web page|<!DOCTYPE html><html></html>
END
truncate -s 3G "$work/large.onnx" # sparse
expect 1 '' 'save the weights as external data' check "$work/large.onnx"
expect 1 '' "NOT_FOUND: --device abacus: no device matches 'abacus'" check "$relu" --device abacus
expect 0 '' '' check --json "$relu" --device cpu
json 'd["schema"] == "daybreak.check/1" and d["runs"] and d["devices"][0]["nodes"][0]["op"] == "Relu"'

expect 0 '' '' check --json "$relu" --policy cpu_only
json 'len(d["devices"]) == 1 and d["runs"]'
DAYBREAK_GPU=0 expect 1 'DOES NOT RUN.*' 'does not run it' check "$relu" --policy require_gpu

# ---- the plugin's file ----
head -c 100000 "$DAYBREAK_PLUGIN" >"$work/cut.so"
head -c 40 "$DAYBREAK_PLUGIN" >"$work/stub.so"
head -c -1 "$DAYBREAK_PLUGIN" >"$work/nearly.so"
: >"$work/empty.so"
cp "$DAYBREAK_PLUGIN" "$work/foreign.so" && printf '\xf3' | dd of="$work/foreign.so" bs=1 seek=18 conv=notrunc status=none # another machine
expect 1 '' "UNAVAILABLE: --plugin: .*cut.so' is cut short: it has 100000 bytes, but a " --plugin "$work/cut.so" info
expect 1 '' "stub.so' is cut short: it has 40 bytes" --plugin "$work/stub.so" info
expect 1 '' "nearly.so' is cut short" --plugin "$work/nearly.so" info
expect 1 '' "empty.so' is empty" --plugin "$work/empty.so" info
expect 1 '' "text.onnx' is no shared library: it has no ELF header" --plugin "$work/text.onnx" info
expect 1 '' "foreign.so' is for another machine" --plugin "$work/foreign.so" info
expect 1 '' 'Is a directory' --plugin "$work" info
expect 1 '' 'no Daybreak plugin: .*dbk_entry' --plugin "$(ldd "$daybreak" | sed -n 's|.*libc.so.6 => \(/[^ ]*\).*|\1|p')" info
expect 1 'FAIL  load.dlopen: .*is cut short' '' validate "$work/cut.so"
expect 2 '' '--plugin: the value is empty' --plugin '' info

# ---- run ----
expect 0 "output +'y' f32\[3, 4, 5\] +min 0 +max 0 +mean 0" '' run "$relu" --input "x=$work/x.npy"
expect 0 '' '' run "$relu" --input x=random --repeat 2 --json --out "$work/made/here"
json 'd["schema"] == "daybreak.run/1" and d["outputs"][0]["file"].endswith("here/y.npy") and d["repeat"] == 2'
[[ $(head -c 6 "$work/made/here/y.npy" | tail -c 5) == NUMPY ]] || { echo "FAIL: no y.npy" && failed=1; }
expect 0 "min 0 +max 0" '' run "$relu" --input "x=$work/x.npy" --out "$work"
nans=$(printf 'nan,%.0s' {1..59})
expect 0 "output +'y' f32\[3, 4, 5\] +nothing finite +60 NaN" '' run "$relu" --input "x=${nans}nan"
expect 0 '' '' run "$relu" --input "x=${nans}nan" --json
json 'd["outputs"][0]["min"] is None and d["outputs"][0]["nan"] == 60'
expect 0 "min 0 +max 0 +mean 0 +58 NaN +1 infinite" '' run "$relu" --input "x=${nans%nan,}inf,-inf"
# Without a standard output nothing else gets its number, and what is written there is an error.
said=$("$daybreak" run "$relu" --input x=zeros --out "$work/closed" 2>&1 >&-)
[[ $? == 1 && $said == *"standard output could not be written" ]] || { echo "FAIL: a closed standard output: $said" && failed=1; }
[[ $("$daybreak" run "$relu" --input x=zeros 2>&- | grep -c output) == 1 ]] || { echo "FAIL: a closed standard error" && failed=1; }
expect 1 '' "input 'x': f32\[3, 4, 5\] has no value: give --input x=" run "$relu"
expect 1 '' "also: .*input 'y': f32\[3, 4, 5\] has no value" run "$add"
expect 1 '' "NOT_FOUND: --input z=zeros: no input is called 'z'; expected is NAME=FILE.npy, .*, where NAME is 'x'" run "$relu" --input z=zeros
expect 1 '' "INVALID_ARGUMENT: --input x: there is no '=' in 'x'; expected is NAME=FILE.npy" run "$relu" --input x
expect 1 '' "INVALID_ARGUMENT: --input =1: no name stands before the '='; expected is NAME=FILE.npy, .*, where NAME is 'x'" run "$relu" --input =1
expect 1 '' "--input : nothing is given; expected is NAME=FILE.npy" run "$relu" --input ''
expect 1 '' '4 values, but f32\[3, 4, 5\] has 60' run "$relu" --input x=1,2,3,4
expect 1 '' "'pear' is no value of f32" run "$nodes/test_sub_bcast/model.onnx" --input x=zeros --input 'y=1,2,3,4,pear'
expect 1 '' "it holds f32\[1, 2\], but the input is f32\[3, 4, 5\]" run "$relu" --input 'x=[[1,2]]'
expect 1 '' "no dimension is called 'N'; none is dynamic" run "$relu" --input x=zeros --dim N=3
expect 1 '' '--dim N=four: write NAME=N or NAME=MIN:MAX' run "$relu" --input x=zeros --dim N=four
expect 1 '' '--dim N=-1: -1 is not between 0 and 9223372036854775807' run "$relu" --input x=zeros --dim N=-1
expect 1 '' '--dim N=1:99999999999999999999: 99999999999999999999 is not between 0 and' run "$relu" --input x=zeros --dim N=1:99999999999999999999
expect 0 "output +'res' f32\[5\] +min 1 +max 5 +mean 3" '' run "$branch" --input cond=true
expect 1 '' 'UNIMPLEMENTED: .*\(ImageDecoder\)' run "$decoder" --input data=zeros
expect 1 '' "--input x=pear: neither numbers nor .*; there is no file 'pear'" run "$relu" --input x=pear
expect 1 '' 'neither a file nor values' run "$relu" --input x=
expect 1 '' '--dim N=4:1: the minimum 4 exceeds the maximum 1' run "$relu" --input x=zeros --dim N=4:1
expect 2 '' 'MODEL: the value is empty' run ''
expect 2 '' '--out: the value is empty' run "$relu" --input x=zeros --out ''
expect 2 '' '--host-ops: the value is empty' run "$relu" --input x=zeros --host-ops ''
expect 2 '' '--device: the value is empty' run "$relu" --input x=zeros --device ''
expect 1 '' "error: NOT_FOUND: --device abacus: no device matches 'abacus'" run "$relu" --input x=zeros --device abacus
DAYBREAK_DEVICE=abacus expect 1 '' "error: NOT_FOUND: DAYBREAK_DEVICE=abacus: no device matches 'abacus'" run "$relu" --input x=zeros
expect 1 '' 'INVALID_ARGUMENT: --policy require_gpu contradicts --device cpu, which is the CPU .*: leave one of them out' run "$relu" --input x=zeros --policy require_gpu --device cpu
if "$daybreak" info | grep -qE '^  kind .*_gpu'; then # only where there is one
  expect 1 '' 'INVALID_ARGUMENT: --policy cpu_only contradicts --device gpu, which is the GPU .*: leave one of them out' run "$relu" --input x=zeros --policy cpu_only --device gpu
  expect 1 '' '--policy cpu_only contradicts --device gpu' check "$relu" --policy cpu_only --device gpu
  DAYBREAK_DEVICE=gpu expect 1 '' '--policy cpu_only contradicts DAYBREAK_DEVICE=gpu, which is the GPU' run "$relu" --input x=zeros --policy cpu_only
  product=$nodes/test_matmul_2d/model.onnx
  DAYBREAK_CACHE_DIR=$work/tuned expect 1 '' 'DEADLINE_EXCEEDED: 1 of 1 products are not measured: --budget 0 ms was too short' tune "$product" --device gpu --budget 0
  for budget in 30 45 68 100 150 225 340 510 770 1150; do # long enough for two kernels, on this machine, and not for all
    DAYBREAK_CACHE_DIR=$work/cut$budget "$daybreak" tune "$product" --device gpu --budget $budget >"$work/out" 2>"$work/err"
    if grep -q 'warning: 1 of 1 products are measured in part: --budget' "$work/err" && grep -q '; in part: the budget ended first$' "$work/out"; then break; fi
  done
  [[ $budget != 1150 ]] || { echo "FAIL: no budget ends within a product" && failed=1; }
  DAYBREAK_CACHE_DIR=$work/tuned expect 0 '' '' tune "$product" --device gpu --json
  json 'not d["products"][0]["in_part"] and d["layers"] == []'
  # Times that nobody keeps are no success.
  DAYBREAK_CACHE_DIR=$work/x.npy/no expect 1 '1 rules within' 'UNAVAILABLE: no time is kept: cache directory .*/x.npy/no cannot be written' tune "$product" --device gpu
  DAYBREAK_CACHE_DIR=$work/x.npy expect 1 '' 'UNAVAILABLE: no time is kept: cache directory .*/x.npy cannot be written: Not a directory' tune "$product" --device gpu --json
  DAYBREAK_CACHE_DIR=/proc/none expect 1 '' 'UNAVAILABLE: no time is kept: cache directory /proc/none cannot be written' tune "$product" --device gpu
  DAYBREAK_CACHE_DIR= expect 1 '1 rules within' 'UNAVAILABLE: DAYBREAK_CACHE_DIR is empty: no time is kept' tune "$product" --device gpu
  DAYBREAK_AUTOTUNE=off DAYBREAK_CACHE_DIR=$work/tuned expect 0 '' 'warning: DAYBREAK_AUTOTUNE=off: processes with this variable do not use the times' tune "$product" --device gpu
  DAYBREAK_CACHE_DIR=$work/tuned expect 0 '1 rules within' 'reshaped.onnx.: no node on .* is a product' tune "$product" "$work/reshaped.onnx" --dim rows=2 --device gpu
  DAYBREAK_CACHE_DIR=$work/tuned expect 1 '' 'UNIMPLEMENTED: .*reshaped.onnx.: no node on .* is a product whose kernels it could choose between' tune "$work/reshaped.onnx" --device gpu
  DAYBREAK_CACHE_DIR=$work/tuned expect 0 "^extents  for 'rows' = 9 \(the most\); --dim gives others$" '' tune "$work/open_product.onnx" --dim rows=2:9 --device gpu
  DAYBREAK_CACHE_DIR=$work/tuned expect 0 "^extents of .*open_product.onnx'  for 'rows' = 1 \(it has no maximum\)" '' tune "$product" "$work/open_product.onnx" --device gpu
  DAYBREAK_CACHE_DIR=$work/tuned expect 0 '' '' tune "$work/open_product.onnx" --dim rows=2:9 --device gpu --json
  json 'd["extents"][0]["assumed"] == [{"name": "rows", "extent": 9, "bounded": True}]'
  DAYBREAK_CACHE_DIR= expect 1 '' "NOT_FOUND: none of the 2 models has a dimension called 'b'" tune "$product" "$work/reshaped.onnx" --dim b=2 --device gpu
  # A GPU that nobody would choose by itself, as a software adapter, will do where one is required.
  DAYBREAK_DEVICE= expect 0 '^placement +1 node: 1 gpu$' '' run "$relu" --input x=zeros --policy require_gpu
  DAYBREAK_DEVICE= expect 0 '^nodes +1: 1 on the device$' '' explain "$relu" --policy require_gpu
  grep -q '^segment 0 on the device$' "$work/out" || { echo "FAIL: explain took the CPU" && failed=1; }
  DAYBREAK_DEVICE= expect 0 '' '' bench "$relu" --policy require_gpu --json --repeat 1
  json 'd["dispatches"] == 1'
  # A node without a name is told by its number.
  expect 0 '^placement +1 node: 1 host$' '' run "$relu" --input x=zeros --device gpu --host-ops Relu
  expect 0 '^ +node 0 \(Relu\) on the host: ' '' run "$relu" --input x=zeros --device gpu --host-ops Relu
fi
# What a node makes of an input's values is not that input's fault.
expect 1 '' "reshaped.onnx': node 0 '/Reshape' \(Reshape\): " run "$work/reshaped.onnx" --dim rows=2 --input x=zeros --input s=5,7
expect 0 "output +'y' f32\[3, 2\]" '' run "$work/reshaped.onnx" --dim rows=2 --input x=zeros --input s=3,2
expect 1 '' "OUT_OF_MEMORY: .*expanded.onnx': a run takes [0-9]+ bytes of the [0-9]+ bytes that the machine has" run "$work/expanded.onnx" --input x=zeros --input s=4000000000000
expect 1 '' '--policy require_gpu contradicts DAYBREAK_DEVICE=cpu, which is the CPU .*: leave one of them out' run "$relu" --input x=zeros --policy require_gpu
DAYBREAK_GPU=0 DAYBREAK_DEVICE= expect 1 '' 'UNIMPLEMENTED: --policy require_gpu: no GPU can be used: switched off' run "$relu" --input x=zeros --policy require_gpu
# Files are written whole or not at all.
expect 1 '' '--out: .*Not a directory' run "$relu" --input x=zeros --out /dev/null/here
expect 1 '' 'INVALID_ARGUMENT: --out: .*x.npy. is a file, not a directory' run "$relu" --input x=zeros --out "$work/x.npy"
said=$(ulimit -f 0 && trap '' XFSZ && "$daybreak" run "$relu" --input x=zeros --out "$work/full" 2>&1)
[[ $said == *"OUT_OF_RANGE: "*"y.npy': File too large"* ]] || { echo "FAIL: no reason for a file that cannot be written: $said" && failed=1; }
[[ -d $work/full && -z $(ls -A "$work/full") ]] || { echo "FAIL: a file that could not be written stayed behind" && failed=1; }
# Where nothing can be written is found out before anything runs.
expect 1 '' '^daybreak: error: [A-Z_]*: --out: ./proc/none.: ' run "$relu" --input x=no-such-file --out /proc/none
expect 1 '' '^daybreak: error: [A-Z_]*: --out: .*Not a directory' run "$relu" --input x=no-such-file --out "$work/x.npy/here"
expect 1 '' 'need a MODEL' run --input x=zeros
expect 2 '' 'policy' run "$relu" --policy sometimes
expect 1 '' 'precision' run "$relu" --input x=zeros --precision f3
expect 0 '' '' run "$relu" --input x=zeros --fusion off

# ---- the demo ----
expect 0 '^  1.000  0.69[45]  0.943  0.257    1 That is a happy person$' '' run --repeat 0
input=$'first line\nsecond line\n' expect 0 '2 sentences' '' run --repeat 0
input=$(printf 'word %.0s' {1..300}) expect 0 '1 sentence, up to 256 tokens' 'warning: 1 of 1 sentences: cut after 256 tokens' run --repeat 0
XDG_CACHE_HOME=$work/nothing PIP_NO_INDEX=1 expect 1 '' "cannot provide the model 'minilm-f32'" run

# ---- bench, explain ----
expect 0 '' '' bench "$relu" --repeat 5 --json
json 'd["schema"] == "daybreak.bench/1" and all(d[k] > 0 for k in ("median_ms", "min_ms", "p99_ms", "first_ms", "compile_ms"))'
json 'd["min_ms"] <= d["median_ms"] <= d["p99_ms"] and "weight_bytes" in d["memory"] and d["dispatches"] >= 0'
expect 0 '5 runs +median' '' bench "$relu" --repeat 5
expect 0 '^memory +weights none, ' '' bench "$relu" --repeat 1
expect 0 '^time +import .*, first run [0-9.]+ [mu]?s$' '' run "$relu" --input x=zeros --repeat 0
expect 0 '' '' bench "$relu" --repeat 5 --force-upload --no-readback --json
json 'd["force_upload"] and d["no_readback"] and d["median_ms"] > 0'
expect 0 '3 runs +median' '' bench "$nodes/test_nonzero_example/model.onnx" --repeat 3 # an output whose shape only the run tells
expect 0 'node 0 .*\(Add\)' '' explain "$add"
expect 0 "^  'sum' +f32\[3,4,5\]  240 B  output 0 \+ 0" '' explain "$add"
expect 0 '^host +0 of 1 node with work \(0.0 %\), 0 s of .* a run \(0.0 %\)' '' explain "$add" --device cpu --time --input x=zeros
expect 2 '' '--time' explain "$add" --input x=zeros
expect 1 '' 'INVALID_ARGUMENT: --dim has to be of a model' tune --dim N=3
expect 1 '' 'INVALID_ARGUMENT: --qkv has to be of a model' tune --qkv split
expect 1 '' 'UNIMPLEMENTED: the device is the CPU, which has no kernels to choose between: --device gpu' tune
expect 1 '' 'UNIMPLEMENTED: the device is the CPU, which' tune "$add" --device cpu
expect 0 '^segment 0 on the CPU$' '' explain "$add" --device cpu
expect 0 '' 'warning: --precision f16_f32acc has no effect: the device is the CPU' explain "$add" --device cpu --precision f16_f32acc
expect 0 '' 'warning: --precision f16 has no effect: the device is the CPU' run "$add" --device cpu --input x=zeros --input y=zeros --precision f16
expect 0 '' '' explain "$add" --json
json 'd["schema"] == "daybreak.explain/1" and d["host_share"] == {"host_nodes": 0, "nodes": 1} and all(k in d for k in ("placement", "schedule", "plan"))'
expect 2 '' 'MODEL' explain
expect 0 "^extents +for 'rows' = 1 \(it has no maximum\); --dim gives others; without what only binding tells$" '' explain "$work/reshaped.onnx"
expect 0 "^extents +for 'rows' = 9 \(the most\); --dim gives others; without" '' explain "$work/reshaped.onnx" --dim rows=2:9
! grep -q maximum "$work/out" || { echo "FAIL: a maximum that is not there" && failed=1; }
expect 0 '' '' explain --json "$work/reshaped.onnx" --dim rows=2:9
json 'd["plan"]["assumed"] == [{"name": "rows", "extent": 9, "bounded": True}] and not d["plan"]["complete"]'
expect 0 '^memory ' '' explain "$add"
! grep -q '^extents' "$work/out" || { echo "FAIL: extents that are open in a model without any" && failed=1; }

# ---- onnx-test ----
expect 0 '2 passed, 0 failed, 0 skipped' '' onnx-test "$nodes" -k 'test_@(relu|add)'
expect 0 'SKIP  test_image_decoder_decode_bmp_rgb: ImageDecoder: ' '' onnx-test "$nodes" -k test_image_decoder_decode_bmp_rgb
expect 0 'SKIP  test_identity_sequence: sequences' '' onnx-test "$nodes" -k test_identity_sequence
expect 1 '' 'NOT_FOUND: --known: .*none.: No such file' onnx-test "$nodes" -k test_relu --known "$work/none"
expect 1 '' '--known: .*Is a directory' onnx-test "$nodes" -k test_relu --known "$work"
expect 1 '' 'no directory in it matches' onnx-test "$nodes" -k nothing
expect 1 '' 'No such file' onnx-test "$work/nowhere"
expect 1 '' 'shard 3/3: nothing is left of 2 cases' onnx-test "$nodes" -k 'test_@(relu|add)' --shard 3/3
expect 1 '' 'no directory in it has a model.onnx; it is a case itself' onnx-test "$nodes/test_relu"
expect 1 '' 'no directory in it has a model.onnx; give the directory whose' onnx-test "$nodes/.."
# What compares nothing does not pass.
mkdir "$work/bare" "$work/bare/empty" && cp -r "$nodes/test_relu" "$work/bare/mute" && rm "$work/bare/mute/test_data_set_0/output_0.pb"
expect 1 'FAIL  mute: NOT_FOUND: no expected output' '' onnx-test "$work/bare"
expect 1 'FAIL  empty: no model.onnx' '' onnx-test "$work/bare"
rm -r "$work/bare/mute/test_data_set_0"
expect 1 'FAIL  mute: no test_data_set_0' '' onnx-test "$work/bare"
# A wrong result is found out.
cp -r "$nodes/test_relu" "$work/cases" && mkdir "$work/all" && mv "$work/cases" "$work/all/wrong"
cp "$work/all/wrong/test_data_set_0/input_0.pb" "$work/all/wrong/test_data_set_0/output_0.pb"
expect 1 "FAIL  wrong: output 'y' [0-9]+ of 60 elements differ" '' onnx-test "$work/all"
# So is an op that nobody has.
sed -i 's/Relu/Rule/' "$work/all/wrong/model.onnx"
expect 1 "FAIL  wrong: UNIMPLEMENTED: node 0 \(Rule\)" '' onnx-test "$work/all"

((failed == 0)) && echo "all as expected"
exit "$failed"
