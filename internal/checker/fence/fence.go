package fence

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Policy says what a program may touch.
type Policy struct {
	// Write are the folders below which it may do as it likes. Its temporary
	// files are in the first.
	Write []string
	// Read are files and folders that it may read, besides those of the
	// system.
	Read []string
	// Memory is how many bytes of it the program may have; 0 is any number.
	Memory int64
	// Beside has it write to the folder that it is in, too.
	Beside bool
}

// Hard is the bound on memory for a process that is watched and ended when it has
// more than its limit: it may grow faster than one looks.
func Hard(limit int64) int64 { return 2 * limit }

// OutOfMemory reports whether a program has ended since it got no more memory, by
// what Go's runtime or C's allocator says then. Go's runtime may also use what it did not
// get, in its own code and not in C: a fault of the program's code is a panic.
func OutOfMemory(printed string) bool {
	fault := strings.HasPrefix(printed, "SIGSEGV: ") || strings.Contains(printed, "\nSIGSEGV: ")
	return strings.Contains(printed, "out of memory") || strings.Contains(printed, "cannot allocate memory") ||
		fault && !strings.Contains(printed, "cgo execution")
}

// Around has the command run behind the fence. The error says why there is
// none.
func (p Policy) Around(cmd *exec.Cmd) error {
	if err := Missing(); err != nil {
		return err
	}
	prefix, env, err := p.launcher(cmd.Path)
	if err != nil {
		return err
	}
	cmd.Args = append(prefix, cmd.Args[1:]...)
	cmd.Path = prefix[0]
	if cmd.Env == nil {
		cmd.Env = os.Environ()
	}
	cmd.Env = append(cmd.Env, env...)
	return nil
}

// Exec is what the go command's flag -exec wants, and the environment, that have
// the tests run behind the fence. They may write where the go command has put
// their program, too: it collects their coverage there.
func (p Policy) Exec() (words string, env []string, err error) {
	if err := Missing(); err != nil {
		return "", nil, err
	}
	p.Beside = true
	prefix, env, err := p.launcher("")
	if err != nil {
		return "", nil, err
	}
	return "'" + prefix[0] + "'", env, nil
}

// launcher is this program with the name of the one that it is to become, "" if
// that is the next argument; and the environment that says so.
func (p Policy) launcher(program string) (words, env []string, err error) {
	self, err := os.Executable()
	if err != nil {
		return nil, nil, err
	}
	words = []string{self}
	if program != "" {
		words = append(words, program)
	}
	text, err := p.encode()
	if err != nil {
		return nil, nil, err
	}
	return words, []string{policyEnv + "=" + text}, nil
}

// policyEnv has the policy of a process that is to go behind the fence, or says
// that there is to be none.
const (
	policyEnv = "MAPATOM_FENCE"
	off       = "off"
)

// Missing says why there is no fence here; nil if there is one. MAPATOM_FENCE=off
// is one reason: programs are then read before they are run, as on other systems.
func Missing() error {
	if os.Getenv(policyEnv) == off {
		return errors.New(policyEnv + "=" + off + " says so")
	}
	return missing()
}

// encode is the policy as a value of the environment.
func (p Policy) encode() (string, error) {
	for _, list := range []*[]string{&p.Write, &p.Read} {
		absolute := make([]string, len(*list))
		for i, path := range *list {
			var err error
			if absolute[i], err = filepath.Abs(path); err != nil {
				return "", err
			}
		}
		*list = absolute
	}
	text, err := json.Marshal(p)
	return string(text), err
}

func decode(text string) (p Policy, err error) {
	err = json.Unmarshal([]byte(text), &p)
	return p, err
}
