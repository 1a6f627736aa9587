#!/bin/sh
# What mapatom costs beside go vet and staticcheck, under each driver.
#
#	docs/bench/drivers.sh DIR [RUNS [PACKAGES...]]
#
# DIR is a directory inside a module; PACKAGES are patterns, ./... by default, and
# all tools look at tests as well. Each tool runs RUNS times in turn, with nothing
# of its own kept from the run before, and the two that can once more with what they
# have just kept. The build cache is warm. The vet cache is not: it goes by the
# contents of the tool, and every run has a copy of its own with a few bytes more at
# its end; go vet itself runs as a copy of the vet tool of the toolchain.
#
# Printed are the medians of processor time (user and system, of all processes),
# elapsed time, and the memory of the largest process. It needs GNU time as
# /usr/bin/time, and the network for staticcheck the first time.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
dir=$1
runs=${2:-3}
shift
[ $# -gt 0 ] && shift
[ $# -gt 0 ] || set -- ./...

work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
(cd "$root" && go build -o "$work/empty" ./docs/bench/empty && go build -o "$work/mapatom" ./cmd/mapatom)
GOFLAGS= GOBIN="$work" go install honnef.co/go/tools/cmd/staticcheck@v0.8.2
(cd "$(go env GOROOT)/src" && GOFLAGS= go build -o "$work/vet" cmd/vet)
cd "$dir"

# timed NAME COMMAND... appends "processor elapsed memory" to a file.
timed() {
	name=$1
	shift
	# Findings are an exit status, and are not asked for here.
	/usr/bin/time -a -o "$work/$name.txt" -f '%U %S %e %M' "$@" >"$work/out" 2>&1 || true
	# GNU time adds a line of its own about the exit status.
	sed -i '/^Command/d' "$work/$name.txt"
}

# vet TOOL NUMBER PACKAGES... runs a copy of a tool under go vet.
vet() {
	tool=$1 number=$2
	shift 2
	cp "$work/$tool" "$work/run"
	printf '%s-%s-%s' "$tool" "$number" "$$" >>"$work/run"
	timed "$tool" go vet -vettool="$work/run" "$@"
}

# warm up: compile what the packages import
go vet -vettool="$work/empty" "$@" >/dev/null 2>&1 || true
STATICCHECK_CACHE="$work/warm" "$work/staticcheck" -debug.version >/dev/null 2>&1 || true
MAPATOM_CACHE=off "$work/mapatom" "$@" >/dev/null 2>&1 || true

i=1
while [ "$i" -le "$runs" ]; do
	vet vet "$i" "$@"
	vet empty "$i" "$@"
	vet mapatom "$i" "$@"
	export MAPATOM_CACHE="$work/kept-$i" STATICCHECK_CACHE="$work/checked-$i"
	timed standalone "$work/mapatom" -tests "$@"
	timed standalone-again "$work/mapatom" -tests "$@"
	timed staticcheck "$work/staticcheck" "$@"
	timed staticcheck-again "$work/staticcheck" "$@"
	i=$((i + 1))
done

# median FILE EXPRESSION
median() {
	awk "{ print $2 }" "$1" | sort -n | awk '{ v[NR] = $1 } END { printf "%.2f", (v[int((NR + 1) / 2)] + v[int((NR + 2) / 2)]) / 2 }'
}

go version
printf '%s processors, %s packages with tests, %s runs each\n' \
	"$(nproc)" "$(go list "$@" 2>/dev/null | wc -l)" "$runs"
printf '%-34s %14s %12s %12s\n' median 'processor (s)' 'elapsed (s)' 'memory (MB)'
row() {
	printf '%-34s %14s %12s %12.0f\n' "$1" "$(median "$work/$2.txt" '$1+$2')" \
		"$(median "$work/$2.txt" '$3')" "$(median "$work/$2.txt" '$4/1024')"
}
row 'go vet' vet
row 'go vet with an empty analyzer' empty
row 'go vet with mapatom' mapatom
row 'mapatom -tests' standalone
row 'mapatom -tests, again' standalone-again
row staticcheck staticcheck
row 'staticcheck, again' staticcheck-again
