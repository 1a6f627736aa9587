package goracle

import (
	"bufio"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mapatom/mapatom/analyzer/internal/goracle/sim"
)

//go:embed sim
var stands embed.FS

const (
	simPath = "github.com/mapatom/mapatom/analyzer/internal/goracle/sim"
	// perPackage is how many units are in one package: with one each, the
	// build takes long.
	perPackage = 25
)

// Program are units in a module of their own, compiled in order to be run.
type Program struct {
	// Dir is the module; the text as it is written is in Dir/real.
	Dir   string
	Units []*Unit

	cmd *exec.Cmd
	in  io.WriteCloser
	out *json.Decoder
}

// Build compiles units in dir, which is empty, and starts them.
func Build(ctx context.Context, dir string, units []*Unit) (*Program, error) {
	p := &Program{Dir: dir, Units: units}
	if err := p.write(); err != nil {
		return nil, err
	}
	args := []string{"build", "-o", "run.exe", "./run"}
	if p.threads() {
		args = []string{"test", "-c", "-o", "run.exe", "./run"}
	}
	build := exec.CommandContext(ctx, "go", args...)
	build.Dir = dir
	build.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("build the units in %s: %w\n%s", dir, err, out)
	}
	return p, p.start(ctx)
}

// threads reports whether a unit starts goroutines: only then are the units
// compiled into a test, which takes longer.
func (p *Program) threads() bool { return slices.ContainsFunc(p.Units, (*Unit).threads) }

// start runs the compiled units, which wait for requests.
func (p *Program) start(ctx context.Context) error {
	p.cmd = exec.CommandContext(ctx, filepath.Join(p.Dir, "run.exe"))
	if p.threads() {
		p.cmd.Args = append(p.cmd.Args, "-test.timeout=0")
	}
	p.cmd.Stderr = os.Stderr
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	p.out = json.NewDecoder(bufio.NewReader(out))
	return p.cmd.Start()
}

// Close ends the process.
func (p *Program) Close() error {
	p.in.Close()
	return p.cmd.Wait()
}

// ErrDied is that a function has ended the process of all of them, as a goroutine does that panics, or one that is not
// told that it is waited for. Others can be asked about after that.
var ErrDied = errors.New("the process has ended")

// Ask has a function judged.
func (p *Program) Ask(q sim.Request) (sim.Answer, error) {
	var a sim.Answer
	err := json.NewEncoder(p.in).Encode(q)
	if err == nil {
		err = p.out.Decode(&a)
	}
	if err != nil {
		died := p.Close()
		if err := p.start(context.Background()); err != nil {
			return a, err
		}
		return a, fmt.Errorf("ask about %s.%s: %w: %w, %w", q.Unit, q.Func, ErrDied, err, died)
	}
	if a.Err != "" {
		return a, fmt.Errorf("%s.%s: %s", q.Unit, q.Func, a.Err)
	}
	return a, nil
}

// File is the path of the text of the ith unit as it is written.
func (p *Program) File(i int) string {
	return filepath.Join(p.Dir, "real", packageOf(i), p.Units[i].Name+".go")
}

// Source is the text of a unit.
func (p *Program) Source(unit string) string {
	for _, u := range p.Units {
		if u.Name == unit {
			return u.Source
		}
	}
	return ""
}

// Params are the names of the parameters of a unit's functions.
func (p *Program) Params(unit string) map[string][]string {
	out := map[string][]string{}
	for _, u := range p.Units {
		if u.Name != unit {
			continue
		}
		for m := range u.named(u.Name).Methods() {
			for v := range m.Signature().Params().Variables() {
				out[m.Name()] = append(out[m.Name()], v.Name())
			}
		}
	}
	return out
}

func packageOf(i int) string { return fmt.Sprintf("p%d", i/perPackage) }

// write makes the module's files.
func (p *Program) write() error {
	files := map[string]string{"go.mod": "module generated\n\ngo 1.26\n"}
	if err := addStands(files); err != nil {
		return err
	}
	var main strings.Builder
	main.WriteString("package main\n\nimport (\n\t\"log\"\n\t\"os\"\n\n\t\"generated/sim\"\n")
	for i := 0; i < len(p.Units); i += perPackage {
		pkg := packageOf(i)
		fmt.Fprintf(&main, "\t_ \"generated/run/%s\"\n", pkg)
		registry := "package " + pkg + "\n\nimport \"generated/sim\"\n\n"
		for _, u := range p.Units[i:min(i+perPackage, len(p.Units))] {
			text := "package " + pkg + "\n\n" + u.Text
			files[filepath.Join("real", pkg, u.Name+".go")] = text
			files[filepath.Join("run", pkg, u.Name+".go")] = standIn(text)
			registry += u.registry()
		}
		files[filepath.Join("run", pkg, "registry.go")] = registry
	}
	if p.threads() {
		files["run/main_test.go"] = strings.Replace(main.String(), "import (", "import (\n\t\"runtime\"\n\t\"testing\"\n\t\"testing/synctest\"", 1) + mainTest
	} else {
		files["run/main.go"] = main.String() + mainText
	}
	for name, text := range files {
		path := filepath.Join(p.Dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

const (
	mainText = `)

func main() {
	if err := sim.Serve(os.Stdin, os.Stdout); err != nil {
		log.Fatal(err)
	}
}
`
	mainTest = `)

func TestServe(t *testing.T) {
	runtime.GOMAXPROCS(1)
	sim.Bubble = func(f func()) { synctest.Test(t, func(*testing.T) { f() }) }
	sim.Settle = synctest.Wait
	if err := sim.Serve(os.Stdin, os.Stdout); err != nil {
		log.Fatal(err)
	}
}
`
)

// addStands adds package sim and the stand-ins.
func addStands(files map[string]string) error {
	return fs.WalkDir(stands, "sim", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := stands.ReadFile(path)
		files[path] = strings.ReplaceAll(string(text), simPath, "generated/sim")
		return err
	})
}

// standIn is the text with the stand-ins imported.
func standIn(text string) string {
	text = strings.ReplaceAll(text, "import \"sync\"\n", "import \"generated/sim/sync\"\n")
	return strings.ReplaceAll(text, "import \"sync/atomic\"\n", "import \"generated/sim/atomic\"\n")
}
