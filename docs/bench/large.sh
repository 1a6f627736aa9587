#!/bin/sh
# What mapatom adds to go vet on a large module.
#
#	docs/bench/large.sh DIR [RUNS [PACKAGES...]]
#
# DIR is a directory inside the module; PACKAGES are patterns, ./... by default.
# go vet runs there with two tools in turn: an analyzer that does nothing, and
# mapatom. Both run on the packages and on all that they import, for the sake of
# Facts. The build cache is warm, so nothing is compiled; the vet cache is not:
# it goes by the contents of the tool, and every run has a copy of its own with
# a few bytes more at its end.
#
# Printed are processor time (user and system, of all processes), elapsed time,
# the memory of the largest process, and the ratios of the medians. It needs
# GNU time as /usr/bin/time.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
dir=$1
runs=${2:-5}
shift
[ $# -gt 0 ] && shift
[ $# -gt 0 ] || set -- ./...

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$root" && go build -o "$work/empty" ./docs/bench/empty && go build -o "$work/mapatom" ./cmd/mapatom)
cd "$dir"

# measure TOOL NUMBER PACKAGES... appends "processor elapsed memory" to a file.
measure() {
	tool=$1 number=$2
	shift 2
	cp "$work/$tool" "$work/run"
	printf '%s-%s-%s' "$tool" "$number" "$$" >>"$work/run"
	# Findings are exit status 1 or 2, and are not asked for here.
	/usr/bin/time -a -o "$work/$tool.txt" -f '%U %S %e %M' \
		go vet -vettool="$work/run" "$@" >"$work/out" 2>&1 || true
	# GNU time adds a line of its own about the exit status.
	sed -i '/^Command/d' "$work/$tool.txt"
}

# warm up: compile what the packages import
go vet -vettool="$work/empty" "$@" >/dev/null 2>&1 || true

i=1
while [ "$i" -le "$runs" ]; do
	measure empty "$i" "$@"
	measure mapatom "$i" "$@"
	i=$((i + 1))
done

# median FILE EXPRESSION
median() {
	awk "{ print $2 }" "$1" | sort -n | awk '{ v[NR] = $1 } END { print (v[int((NR + 1) / 2)] + v[int((NR + 2) / 2)]) / 2 }'
}

go version
printf '%s processors, %s packages and what they import, %s runs each\n' \
	"$(nproc)" "$(go list "$@" 2>/dev/null | wc -l)" "$runs"
printf '%-22s %10s %10s %8s\n' median empty mapatom ratio
row() {
	a=$(median "$work/empty.txt" "$2") b=$(median "$work/mapatom.txt" "$2")
	printf '%-22s %10s %10s %8s\n' "$1" "$a" "$b" "$(awk "BEGIN { printf \"%.3f\", $b / $a }")"
}
row 'processor time (s)' '$1+$2'
row 'elapsed time (s)' '$3'
row 'largest process (MB)' '$4/1024'
