#!/bin/sh
# What mapatom monitor needs, as multiples of what any such program needs.
#
#	docs/bench/monitor.sh [RUNS [OPERATIONS [THREADS [KIND...]]]]
#
# For each kind of object it generates a history (1,000,000 operations of 40
# threads if nothing else is said), and runs two programs on the same file in
# turn: floor, which parses it and sorts its instants, and mapatom monitor, on all
# processors and on one. Times are those of whole processes, from start to exit. It
# then does the same with a tenth of the operations, for the growth.
#
# Printed are, for each kind, the least of elapsed time, processor time and
# memory of both, the ratios of the elapsed times, and how many times longer ten
# times the operations take. RUN is put before the commands: RUN='chrt -f 1' gives
# them a processor on a machine that has other work, which stands still meanwhile, so
# that it is for a second at a time and for machines of one's own. It needs GNU time as
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
	${RUN:-} /usr/bin/time -o time -f '%U %S %M' "$@" >out || {
		echo "$*: failed" >&2
		cat out >&2
		exit 1
	}
	# time's own figure of what has elapsed has two digits only.
	awk -v from="$from" -v to="$(date +%s%N)" \
		'{ printf "%.3f %.2f %.0f\n", (to - from) / 1e9, $1 + $2, $3 / 1024 }' time >>"$name"
}

# least NAME COLUMN
least() {
	awk -v c="$2" '{ print $c }' "$1" | sort -n | head -1
}

# compare KIND OPERATIONS leaves what it measures in $kind.$operations.floor,
# .mapatom and .one.
compare() {
	./mapatom monitor -gen="$1" -n "$2" -threads="$threads" -seed=1 >history
	i=0
	while [ $i -lt "$runs" ]; do
		measure "$1.$2.floor" ./floor history
		measure "$1.$2.mapatom" ./mapatom monitor history
		measure "$1.$2.one" env GOMAXPROCS=1 ./mapatom monitor history
		i=$((i + 1))
	done
}

echo "$(go version), $(nproc) processors, $operations operations, $threads threads, the least of $runs runs"
format='%-14s %9s %9s %9s %9s %9s %9s %9s %9s %9s\n'
printf "$format" kind 'floor s' 'all s' ratio 'one s' ratio 'floor CPU' 'CPU' 'MiB' growth
for kind; do
	tenth=$((operations / 10))
	compare "$kind" "$operations"
	compare "$kind" "$tenth"
	of="$kind.$operations"
	awk -v format="$format" -v kind="$kind" -v fe="$(least "$of.floor" 1)" -v fc="$(least "$of.floor" 2)" \
		-v me="$(least "$of.mapatom" 1)" -v mc="$(least "$of.mapatom" 2)" -v mm="$(least "$of.mapatom" 3)" \
		-v oe="$(least "$of.one" 1)" -v te="$(least "$kind.$tenth.mapatom" 1)" 'BEGIN {
			printf format, kind, fe, me, sprintf("%.2f", me / fe), oe, sprintf("%.2f", oe / fe), fc, mc, mm, sprintf("%.1f", me / te)
		}'
done
