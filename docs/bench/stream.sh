#!/bin/sh
# What mapatom monitor -stream needs for a history that is recorded while it runs.
#
#	docs/bench/stream.sh [OPERATIONS [RATE [OBJECT...]]]
#
# For each object of docs/bench/histories it records 4,000,000 operations of eight
# goroutines in a file, as fast as they can be done, and has the file decided five
# times: the least elapsed time says how many operations a second that is. Then
# the program records OPERATIONS (100,000,000 if nothing else is said), RATE a
# second (1,000,000), into a pipe that mapatom monitor -stream reads: its elapsed
# time, processor time and largest memory are printed.
#
# RUN is put before the command that is measured, such as nice -n 5. It needs GNU time as /usr/bin/time.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
operations=${1:-100000000}
rate=${2:-1000000}
[ $# -gt 2 ] && shift 2 || set -- sync.Map atomic.Int64
short=4000000

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$root" && go build -o "$work/mapatom" ./cmd/mapatom)
(cd "$root/docs/bench/histories" && go build -o "$work/histories" .)
cd "$work"

echo "$(go version), $(nproc) processors"
for object; do
	./histories -object="$object" -n=$short >recording 2>/dev/null
	for _ in 1 2 3 4 5; do
		${RUN:-} /usr/bin/time -o time -a -f '%e' ./mapatom monitor -stream recording >out
	done
	least=$(sort -n time | head -1)
	rm time
	echo "$object: $short operations decided in $least s, $(awk -v n=$short -v s="$least" 'BEGIN { printf "%.1f", n / s / 1e6 }') million a second"
	./histories -object="$object" -n="$operations" -rate="$rate" 2>/dev/null |
		${RUN:-} /usr/bin/time -o time -f '%e %U %S %M' ./mapatom monitor -stream - >out
	awk -v what="$object: $operations operations at $rate a second" \
		'{ printf "%s: %.0f s, %.0f s of processor time, %.0f MB\n", what, $1, $2 + $3, $4 / 1024 }' time
	rm time
	cat out
done
