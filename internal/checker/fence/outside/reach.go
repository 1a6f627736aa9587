package outside

import (
	"fmt"
	"go/types"
	"slices"
)

// Of says what a function, named by Name, reaches outside by itself or through
// what it mentions; "" if nothing.
func (p *Program) Of(pkg, name string) string {
	key := pkg + "\x00" + name
	if answer, ok := p.known[key]; ok {
		return answer
	}
	f := p.functions[key]
	if f == nil {
		return fmt.Sprintf("code that cannot be read: there is no source of %s", name)
	}
	answer := p.from(f)
	p.known[key] = answer
	return answer
}

// Check says of functions of packages, named by Key, and of what is run before
// them, what they reach outside: an error with the name of the first that does.
func (p *Program) Check(start []string, functions []*types.Func) error {
	for _, pkg := range start {
		if why := p.Start(pkg); why != "" {
			return refusal("package "+pkg, why)
		}
	}
	for _, f := range functions {
		caller := &function{}
		p.mention(caller, f)
		if len(caller.calls) == 1 { // no method of an interface
			caller = p.functions[caller.calls[0]]
		}
		if caller == nil {
			return refusal(Name(f), "code that cannot be read")
		}
		if why := p.from(caller); why != "" {
			return refusal(Name(f), why)
		}
	}
	return nil
}

// CheckTests says what the tests of packages reach outside: an error with the
// name of the first that does.
func (p *Program) CheckTests(pkgs []string) error {
	for _, pkg := range pkgs {
		for _, path := range []string{pkg, pkg + "_test"} {
			if p.inits[path] == nil {
				continue
			}
			if err := p.Check([]string{path}, nil); err != nil {
				return err
			}
			for _, name := range p.tests[path] {
				if why := p.Of(path, name); why != "" {
					return refusal(name, why)
				}
			}
		}
	}
	return nil
}

func refusal(name, why string) error {
	return fmt.Errorf("%s reaches %s: -allow-io runs it all the same", name, why)
}

// Start says what is reached before a package's first function is called: by its
// initialization and that of all that it imports.
func (p *Program) Start(pkg string) string {
	seen := map[string]bool{}
	todo := []string{pkg}
	for len(todo) > 0 {
		path := todo[0]
		todo = todo[1:]
		if seen[path] {
			continue
		}
		seen[path] = true
		f := p.inits[path]
		if f == nil {
			return "code that cannot be read: there is no source of package " + path
		}
		if why := p.from(f); why != "" {
			return why + ", when " + path + " is initialized"
		}
		todo = append(todo, p.imports[path]...)
	}
	return ""
}

// candidates are the methods that the call may come to, if their receivers have
// the others as well.
func (d *dynamic) candidates(p *Program) []*method {
	if d.generic {
		return p.named[d.name]
	}
	return append(slices.Clone(p.methods[d.name]), p.methods[d.method]...)
}

// from goes through everything that a function mentions.
func (p *Program) from(f *function) string {
	seen := map[*function]bool{}
	todo := []*function{f}
	given := false
	add := func(key string) {
		if g := p.functions[key]; g != nil {
			todo = append(todo, g)
		}
	}
	for len(todo) > 0 {
		g := todo[0]
		todo = todo[1:]
		if seen[g] {
			continue
		}
		seen[g] = true
		if g.reaches != "" {
			if g == f {
				return g.reaches
			}
			return g.reaches + " (by " + g.name + ")"
		}
		for _, key := range g.calls {
			if p.functions[key] == nil {
				return "code that cannot be read (by " + g.name + ")"
			}
			add(key)
		}
		for _, d := range g.dynamic {
			for _, m := range d.candidates(p) {
				if !slices.ContainsFunc(d.all, func(name string) bool { return !m.all[name] }) {
					add(m.key)
				}
			}
		}
		if g.gives && !given {
			given = true
			for _, name := range callbacks {
				for _, m := range p.methods[name] {
					add(m.key)
				}
			}
		}
	}
	return ""
}
