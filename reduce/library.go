package reduce

import (
	"github.com/mapatom/mapatom/internal/reduce/calls"
	"github.com/mapatom/mapatom/internal/reduce/register"
	"golang.org/x/tools/go/ssa"
)

// Library lowers functions when they are asked for, each once. It knows the
// functions that were lowered through it and all that these refer to: closures,
// method values and generic functions too, which have no name in the source.
type Library struct {
	res   calls.Resolver
	funcs map[string]*ssa.Function
	progs map[string]*register.Program
}

// NewLibrary returns a Library that classifies calls by r.
func NewLibrary(r calls.Resolver) *Library {
	return &Library{res: r, funcs: map[string]*ssa.Function{}, progs: map[string]*register.Program{}}
}

// Lower is the function form of fn. The program belongs to the library and must
// not be changed.
func (lib *Library) Lower(fn *ssa.Function) (*register.Program, error) {
	key := calls.FuncKey(fn)
	if p := lib.progs[key]; p != nil {
		return p, nil
	}
	p, funcs, err := lower(fn, lib.res, variant{})
	if err != nil {
		return nil, err
	}
	lib.progs[key] = p
	for k, f := range funcs {
		lib.funcs[k] = f
	}
	return p, nil
}

// LowerLater is Lower for a function of which the goroutines, and what calls have run
// later, are looked at as deferred calls: they run when all else is done.
func (lib *Library) LowerLater(fn *ssa.Function, later Later) (*register.Program, error) {
	return lib.as(fn, variant{later: later})
}

// LowerCollected is Lower for a function of which a sweep finds one entry.
func (lib *Library) LowerCollected(c *Collected) (*register.Program, error) {
	if c.by == nil {
		return lib.as(c.append.Parent(), variant{collected: c})
	}
	fn := c.by.append.Parent()
	p, err := lib.as(fn, variant{collected: c.by, gives: true})
	if err != nil {
		return nil, err
	}
	lib.progs[collectingKey(calls.FuncKey(fn))] = p
	return lib.as(c.call.Parent(), variant{collected: c})
}

func (lib *Library) as(fn *ssa.Function, as variant) (*register.Program, error) {
	p, funcs, err := lower(fn, lib.res, as)
	if err != nil {
		return nil, err
	}
	for k, f := range funcs {
		lib.funcs[k] = f
	}
	return p, nil
}

// Lookup is for Inline: the program for a key, nil if there is none.
func (lib *Library) Lookup(key string) *register.Program {
	if p, ok := lib.progs[key]; ok {
		return p
	}
	fn := lib.funcs[key]
	if fn == nil {
		return nil
	}
	p, err := lib.Lower(fn)
	if err != nil { // it has no body
		lib.progs[key] = nil
		return nil
	}
	return p
}
