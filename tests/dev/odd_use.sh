#!/usr/bin/env bash
# usage: odd_use.sh DEV. Uses the script DEV wrongly and in odd ways, and compares status and text with what they should be.
# No message may be bash's own ("dev: line 12: ..."): it tells users nothing.
set -uo pipefail
readonly dev=$1
failures=0

expect() { # STATUS PATTERN COMMAND...: PATTERN is of bash, for all that is printed
  local wanted=$1 pattern=$2 text status=0
  shift 2
  text=$("$@" 2>&1) || status=$?
  # shellcheck disable=SC2053  # a pattern is meant
  if [[ $status != "$wanted" || $text != $pattern || $text == *": line "[0-9]* ]]; then
    printf 'FAIL %s\n  status %s, expected %s\n  expected text: %s\n%s\n' "$*" "$status" "$wanted" "$pattern" "$text"
    failures=$((failures + 1))
  fi
}

scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
mkdir "$scratch/a place"
cd "$scratch/a place" || exit

expect 0 'usage: ./dev COMMAND*' "$dev" help
expect 1 '*write error*' bash -c '"$0" help >/dev/full' "$dev"
expect 2 'usage: ./dev COMMAND*' "$dev"
expect 2 "dev: error: no command 'biuld'"$'\n'usage:* "$dev" biuld
expect 2 "dev: error: no command '__other'"* "$dev" __other

expect 2 'dev: error: exec needs a command' "$dev" exec
expect 127 'dev: error: no-such-command: command not found' "$dev" exec no-such-command
expect 127 'dev: error: usage: command not found' "$dev" exec usage # a function of the script is no command
expect 3 '' "$dev" exec sh -c 'exit 3'
expect 0 '\[a  b]\[]\[\*]\[-n]' "$dev" exec printf '[%s]' 'a  b' '' '*' -n
expect 0 "$PWD" "$dev" exec pwd

expect 2 "dev: error: no preset 'debug'; there are: dev release asan tsan cpu" "$dev" build debug
expect 2 "dev: error: no preset ''; *" "$dev" build ''
expect 1 '*no-such-model*' "$dev" models no-such-model

# Paths come in the order that was asked for, each model's once.
expect 0 '*/silero-static.onnx'$'\n''*/orientation.onnx' "$dev" models silero-static orientation silero-static

expect 1 'dev: error: no permission to write to the cache /proc/none/daybreak: *' env XDG_CACHE_HOME=/proc/none "$dev" doctor
expect 0 'ok   environment *ok   verdict     the project can be built here' "$dev" doctor

# A relative path would mean another cache in every directory.
# shellcheck disable=SC2016  # the inner shell expands it
expect 0 "dev: XDG_CACHE_HOME is ignored: 'here' is not an absolute path"$'\n''none' \
  env XDG_CACHE_HOME=here HOME="$scratch" "$dev" exec sh -c 'echo ${XDG_CACHE_HOME:-none}'
[[ ! -e here ]] || { echo 'FAIL a relative XDG_CACHE_HOME was used' && failures=$((failures + 1)); }

if ((failures)); then echo "$failures failed" && exit 1; fi
echo "everything as expected"
