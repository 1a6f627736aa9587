package pace

import (
	"flag"
	"os"
	"runtime/debug"
)

// ofTests is the pace of tests, as GOGC has it: they judge one small thing after the
// other, and end long before they need much memory.
const ofTests = 400

// A Runner runs the tests of a package, as a testing.M does.
type Runner interface{ Run() int }

// Tests runs the tests of a package that allocate much and keep little. Benchmarks are
// measured at the pace of everybody else.
func Tests(m Runner) Runner { return paced{m} }

type paced struct{ m Runner }

func (p paced) Run() int {
	flag.Parse()
	bench := flag.Lookup("test.bench")
	if os.Getenv("GOGC") == "" && (bench == nil || bench.Value.String() == "") {
		debug.SetGCPercent(ofTests)
	}
	return p.m.Run()
}
