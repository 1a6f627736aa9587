#!/bin/sh
# How long lineup.Check takes under plain go test, the first time and after that.
#
#	docs/bench/check.sh [TEST]
#
# It runs a test of docs/bench/histories (TestMPMCQueue, which instruments a
# dependency too, if nothing else is said) with caches of its own, in which
# there is only what go test has compiled of the standard library for a test
# that imports some of it: not the checker, nor what that imports. Then again, again
# after a line of the test was changed, and again with nothing kept by Check. It prints
# elapsed time and processor time, which says more where others work too.
#
# RUN is put before the command that is measured, such as nice -n 5. It needs GNU time as /usr/bin/time.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
test=${1:-TestMPMCQueue}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export GOCACHE="$work/go" XDG_CACHE_HOME="$work/cache"
mkdir "$work/user" "$work/module"
cat >"$work/user/user_test.go" <<'END'
package user

import (
	"encoding/json"
	"net/http"
	"os/exec"
	"sync"
	"testing"
	"text/template"
)

var (
	_ http.Handler
	_ json.Decoder
	_ exec.Cmd
	_ sync.Map
	_ template.Template
)

func TestNothing(t *testing.T) {}
END
printf 'module example.com/user\n\ngo 1.26\n' >"$work/user/go.mod"
(cd "$work/user" && go test . >/dev/null)

cp "$root/docs/bench/histories/"* "$work/module"
sed "s|=> ../../..|=> $root|" "$root/docs/bench/histories/go.mod" >"$work/module/go.mod"
cd "$work/module"
measured() {
	${RUN:-} /usr/bin/time -o "$work/time" -f '%e %U %S' go test -count=1 -run "^$test\$" . >"$work/out" || { cat "$work/out"; exit 1; }
	awk -v what="$1" '{ printf "%s: %.1f s, %.1f s of processor time\n", what, $1, $2 + $3 }' "$work/time"
}
echo "$(go version), $(nproc) processors, $test"
measured "the first run"
measured "the next"
echo '// A line more.' >>lineup_test.go
measured "after a change of the test"
rm -r "$XDG_CACHE_HOME/mapatom/tests"
measured "the same, with nothing kept by Check"
