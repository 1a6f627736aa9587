#!/bin/bash
# What the tools of docs/compared.md have at the command line, asked of them.
#
#	docs/bench/peers.sh
#
# It installs them in a folder of its own, which takes minutes and the network the first
# time, and runs them on a module of one file that each of them has something to say of.
set -u

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export GOBIN=$work/bin GOFLAGS= PATH=$work/bin:$PATH
go install honnef.co/go/tools/cmd/staticcheck@v0.8.2 || exit
go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0 || exit
go install golang.org/x/vuln/cmd/govulncheck@v1.9.0 || exit

mkdir "$work/m" && cd "$work/m" || exit
cat >go.mod <<'END'
module example.com/m

go 1.26
END
cat >a.go <<'END'
package m

import "fmt"

func F(x bool) {
	if x == true {
		fmt.Sprintf("%d", "a")
	}
}
END

# has WHAT COMMAND...: whether the command ends without a mistake in its arguments: with
# status 0, or 1 and findings.
has() {
	local what=$1 out
	shift
	out=$("$@" 2>&1)
	if [ $? -gt 1 ] || head -3 <<<"$out" | grep -qE 'not defined|unknown (flag|command)|unsupported|-flags failed|not in std'; then
		printf '%-15s %-28s no\n' "${tool}" "$what"
	else
		printf '%-15s %-28s yes\n' "${tool}" "$what"
	fi
}

# colours WHAT COMMAND...: whether it colours what goes to a terminal.
colours() {
	local what=$1 said=no
	shift
	script -qec "$*" /dev/null | grep -q $'\e\\[' && said=yes
	printf '%-15s %-28s %s\n' "$tool" "$what" "$said"
}

tool=staticcheck
for f in text stylish json sarif checkstyle junit; do has "-f $f" staticcheck -f "$f" ./...; done
has "-fix" staticcheck -fix ./...
has "under go vet" go vet -vettool="$GOBIN/staticcheck" ./...
has "completion" staticcheck completion bash
has "-explain" staticcheck -explain S1002
has "-merge" staticcheck -merge /dev/null
colours "colours" staticcheck -f stylish ./...

tool=golangci-lint
for f in text json tab html checkstyle code-climate junit-xml teamcity sarif; do
	has "$f" golangci-lint run "--output.$f.path=$work/out" ./...
done
has "--fix" golangci-lint run --fix --enable-only=staticcheck ./...
has "--new-from-rev" golangci-lint run --new-from-rev=HEAD --help
has "under go vet" go vet -vettool="$GOBIN/golangci-lint" ./...
has "completion" golangci-lint completion bash
has "manual pages" golangci-lint man
has "a help of linters" golangci-lint help linters
colours "colours" golangci-lint run ./...
colours "colours with NO_COLOR" NO_COLOR=1 golangci-lint run ./...

tool=govulncheck
for flag in "-format value" "-show list" "-test" "-tags list"; do
	printf '%-15s %-28s %s\n' "$tool" "$flag" "$(govulncheck -h 2>&1 | grep -qe "$flag" && echo yes || echo no)"
done
govulncheck -h 2>&1 | grep -A2 -e "-format value" | tail -1
