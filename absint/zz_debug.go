package absint

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/mapatom/mapatom/reduce/register"
)

var dumpNo atomic.Int64
var dumpDir = os.Getenv("MAPATOM_DUMP")
var stageLog []string

func shape(p *register.Program) string {
	n, br, ops, unk, fresh, eff := 0, 0, 0, 0, 0, 0
	for _, b := range p.Blocks {
		n += len(b.Instrs)
		if b.Term.Kind == register.Branch {
			br++
		}
		for i := range b.Instrs {
			in := &b.Instrs[i]
			switch {
			case in.IsBase():
				ops++
			case in.Op == register.Unknown:
				unk++
			case in.Op == register.Fresh:
				fresh++
			case in.Op == register.Effect:
				eff++
			}
		}
	}
	return fmt.Sprintf("instr=%d branch=%d ops=%d unk=%d fresh=%d eff=%d loops=%d cells=%d", n, br, ops, unk, fresh, eff, len(register.Loops(p)), len(p.Cells))
}

func dump(p Problem, res Result, began time.Time) {
	if dumpDir == "" {
		return
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# %v %s | %s | env=%v steps=%d configs=%d ms=%d\n", res.Verdict, res.Reason, shape(p.Region), p.Env, len(p.Steps), res.Configurations, time.Since(began).Milliseconds())
	for _, s := range stageLog {
		fmt.Fprintln(&b, "#", s)
	}
	stageLog = nil
	fmt.Fprintln(&b, p.Region)
	for _, s := range p.Steps {
		fmt.Fprintf(&b, "# STEP %s cells=%v %s\n%s\n", s.Name, s.Cells, shape(s.Program), s.Program)
	}
	wd, _ := os.Getwd()
	os.WriteFile(filepath.Join(dumpDir, fmt.Sprintf("%s-%04d-%d.txt", filepath.Base(wd), dumpNo.Add(1), os.Getpid())), []byte(b.String()), 0o644)
}
