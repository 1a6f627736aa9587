package register

import "strconv"

// naming gives out names. Program.NewLocal does as well, but looks through
// all names each time; functions have thousands.
type Naming struct {
	P     *Program
	taken map[string]bool
	// numbered are how many locals are named after each hint, as far as they needed numbers.
	numbered map[string]int
	sites    map[string]int
}

// newNaming continues the names that p has.
func NewNaming(p *Program) *Naming {
	n := &Naming{P: p, taken: map[string]bool{}, numbered: map[string]int{}, sites: map[string]int{}}
	for _, name := range p.Names {
		n.taken[name] = true
	}
	return n
}

// local adds a local to the program, named after hint.
func (n *Naming) Local(hint string) Local {
	base := sanitize(hint)
	name := base
	for i := n.numbered[base]; n.taken[name]; i++ {
		name = base + "_" + strconv.Itoa(i+2)
		n.numbered[base] = i + 1
	}
	n.taken[name] = true
	n.P.Names = append(n.P.Names, name)
	return Local(len(n.P.Names) - 1)
}

// Typed adds a local with a type.
func (n *Naming) Typed(hint string, t Type) Local {
	l := n.Local(hint)
	n.P.Declare(l, t)
	return l
}

// site is a name for one more place where the same thing is done.
func (n *Naming) Site(what string) string {
	n.sites[what]++
	return what + "#" + strconv.Itoa(n.sites[what])
}
