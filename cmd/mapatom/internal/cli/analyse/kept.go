package analyse

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"

	"golang.org/x/tools/go/analysis"

	"github.com/mapatom/mapatom/analyzer"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/driver"
)

// cacheVariable says where results are kept; cacheOff is for nowhere.
const (
	cacheVariable = "MAPATOM_CACHE"
	cacheOff      = "off"
)

// driver says how the driver analyses packages.
func (o *Options) driver() (driver.Options, error) {
	opts := driver.Options{BuildFlags: o.buildFlags()}
	store, err := openStore()
	if err != nil || store == nil {
		return opts, err
	}
	// Without an identity nothing can be kept.
	if opts.Identity, err = o.identity(); err == nil {
		opts.Store = store
	}
	return opts, nil
}

// openStore opens the directory in which results are kept; nil if there is none.
// That the usual one cannot be had is no reason not to run.
func openStore() (*driver.Store, error) {
	switch dir := os.Getenv(cacheVariable); dir {
	case cacheOff:
		return nil, nil
	case "":
		store, err := driver.DefaultStore()
		if err != nil {
			return nil, nil
		}
		return store, nil
	default:
		store, err := driver.OpenStore(dir)
		if err != nil {
			return nil, cli.Cannot("Set "+cacheVariable+" to a directory that can be written to, or to "+cacheOff+".", "%v", err)
		}
		return store, nil
	}
}

// identity is all that decides what is said of a package, beside the package: the
// program, its options and the configuration.
func (o *Options) identity() (string, error) {
	h := sha256.New()
	if err := HashProgram(h, o.Config.Path); err != nil {
		return "", err
	}
	return fmt.Sprintf("%x env=%v report=%v confidence=%v budget=%v rules=%s tests=%t programs=%t config=%q", h.Sum(nil),
		o.Env, o.Report, o.Confidence, o.Budget, &o.Rules, o.Tests, o.Programs, o.Config.Path), nil
}

// HashProgram writes what tells this program with a configuration file from
// others to a hash. The path of the file can be empty.
func HashProgram(h io.Writer, configuration string) error {
	exe, err := os.Executable()
	if err != nil {
		return err
	}
	for _, file := range []string{exe, configuration} {
		if file == "" {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		fmt.Fprintf(h, "%d ", len(text))
		if _, err := h.Write(text); err != nil {
			return err
		}
	}
	return nil
}

// analyzer is the Analyzer with the options. The programs of whole functions are
// larger than all else that it finds, and hardly ever asked for.
func (o *Options) analyzer() *analysis.Analyzer {
	opts := o.Options
	opts.Callers, opts.Sole = true, true
	a := Guarded(analyzer.New(opts))
	if o.Programs {
		return a
	}
	run := a.Run
	a.Run = func(pass *analysis.Pass) (any, error) {
		result, err := run(pass)
		if found, ok := result.(*analyzer.Result); ok && found != nil {
			found.Programs = nil
		}
		return result, err
	}
	return a
}
