#!/bin/sh
# What mapatom monitor needs, as multiples of what any such program needs.
#
#	docs/bench/monitor.sh [RUNS [OPERATIONS [THREADS [KIND...]]]]
#
# For each kind of object it generates a history (1,000,000 operations of 40
# threads if nothing else is said), and runs two programs on the same file in
# turn: floor, which parses it and sorts its instants, and mapatom monitor. Times
# are those of whole processes, from start to exit. It then does the same with a
# tenth of the operations, for the growth.
#
# Printed are, for each kind, the medians of elapsed time, processor time and
# memory of both, the ratio of the elapsed times, and how many times longer ten
# times the operations take. It needs GNU time as
# /usr/bin/time, and GNU date.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
runs=${1:-5}
operations=${2:-1000000}
threads=${3:-40}
[ $# -gt 3 ] && shift 3 || set -- set register queue priorityqueue stack map

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$root" && go build -o "$work/floor" ./docs/bench/floor && go build -o "$work/mapatom" ./cmd/mapatom)
cd "$work"

# measure NAME COMMAND... appends "elapsed processor memory" to NAME.
measure() {
	name=$1
	shift
	from=$(date +%s%N)
	/usr/bin/time -o time -f '%U %S %M' "$@" >out || {
		echo "$*: failed" >&2
		cat out >&2
		exit 1
	}
	# time's own figure of what has elapsed has two digits only.
	awk -v from="$from" -v to="$(date +%s%N)" \
		'{ printf "%.3f %.2f %.0f\n", (to - from) / 1e9, $1 + $2, $3 / 1024 }' time >>"$name"
}

# median NAME COLUMN
median() {
	awk -v c="$2" '{ print $c }' "$1" | sort -n | awk '{ x[NR] = $1 } END { print x[int((NR + 1) / 2)] }'
}

# compare KIND OPERATIONS leaves medians in $kind.$operations.floor and .mapatom.
compare() {
	./mapatom monitor -gen="$1" -n "$2" -threads="$threads" -seed=1 >history
	i=0
	while [ $i -lt "$runs" ]; do
		measure "$1.$2.floor" ./floor history
		measure "$1.$2.mapatom" ./mapatom monitor history
		i=$((i + 1))
	done
}

echo "$(go version), $(nproc) processors, $operations operations, $threads threads, medians of $runs runs"
printf '%-14s %17s %18s %10s %17s %18s %8s %8s\n' \
	kind 'floor s' 'mapatom s' ratio 'floor CPU s' 'mapatom CPU s' 'MiB' growth
for kind; do
	tenth=$((operations / 10))
	compare "$kind" "$operations"
	compare "$kind" "$tenth"
	awk -v kind="$kind" \
		-v fe="$(median "$kind.$operations.floor" 1)" -v me="$(median "$kind.$operations.mapatom" 1)" \
		-v fc="$(median "$kind.$operations.floor" 2)" -v mc="$(median "$kind.$operations.mapatom" 2)" \
		-v mm="$(median "$kind.$operations.mapatom" 3)" -v te="$(median "$kind.$tenth.mapatom" 1)" 'BEGIN {
			growth = te > 0 ? sprintf("%.1f", me / te) : "-"
			ratio = fe > 0 ? sprintf("%.2f", me / fe) : "-"
			printf "%-14s %17s %18s %10s %17s %18s %8s %8s\n", kind, fe, me, ratio, fc, mc, mm, growth
		}'
done
