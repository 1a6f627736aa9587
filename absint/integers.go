package absint

import (
	"slices"
	"strconv"

	"github.com/mapatom/mapatom/reduce"
)

// solveIntegers finds integers for the classes that take part in
// arithmetic, by trying.
func (m *model) solveIntegers() bool {
	var apps, vars []term
	for _, x := range m.cls.members {
		n := m.engine.terms.of(x)
		if n.kind != appTerm || !arithmetic[n.name] || len(n.args) != 2 {
			continue
		}
		apps = append(apps, x)
		for _, y := range append(slices.Clone(n.args), x) {
			r := m.cls.find(y)
			if _, fixed := m.values[r]; !fixed && !slices.Contains(vars, r) && (y != x || n.name != "lt" && n.name != "le") {
				vars = append(vars, r)
			}
		}
	}
	vars = slices.DeleteFunc(vars, func(r term) bool { return m.derived(r, apps) })
	if len(vars) > 5 {
		return m.assignBounds(vars, apps)
	}
	return m.assign(vars, apps, m.domain(apps))
}

var arithmetic = map[string]bool{
	"add": true, "sub": true, "lt": true, "le": true,
	"and": true, "or": true, "xor": true,
}

// derived reports whether the class is the result of some arithmetic, so
// that its value follows.
func (m *model) derived(r term, apps []term) bool {
	for _, x := range apps {
		if m.cls.find(x) == r {
			return true
		}
	}
	return false
}

// domain are the integers worth trying: small ones, and those next to a
// literal of the program.
func (m *model) domain(apps []term) []int64 {
	dom := []int64{0, 1, 2, 3, 4, 5}
	for _, x := range m.cls.members {
		if v, ok := m.engine.terms.integer(x); ok {
			for d := int64(-2); d <= 2; d++ {
				if !slices.Contains(dom, v+d) {
					dom = append(dom, v+d)
				}
			}
		}
	}
	if len(dom) > 16 {
		dom = dom[:16]
	}
	return dom
}

func (m *model) assign(vars, apps []term, dom []int64) bool {
	if len(vars) == 0 {
		return m.checkArithmetic(apps)
	}
	for i := range dom {
		// Different variables try different values first.
		v := dom[(i+len(vars)-1)%len(dom)]
		m.values[vars[0]] = reduce.Value(strconv.FormatInt(v, 10))
		if m.assign(vars[1:], apps, dom) {
			m.used[m.values[vars[0]]] = true
			return true
		}
	}
	delete(m.values, vars[0])
	return false
}

// assignBounds takes the numbers that follow from the order, and orders what
// differs and would be equal, one way or the other.
func (m *model) assignBounds(vars, apps []term) bool {
	bounds := m.cls.bounds()
	dist, ok := relax(bounds)
	for _, d := range m.cls.differ {
		x, y := m.cls.find(d[0]), m.cls.find(d[1])
		if !ok || !slices.Contains(vars, x) || !slices.Contains(vars, y) || dist[x] != dist[y] {
			continue
		}
		less := append(slices.Clone(bounds), bound{x, y, -1})
		if _, ok := relax(less); !ok {
			less[len(less)-1] = bound{y, x, -1}
		}
		bounds = less
		dist, ok = relax(bounds)
	}
	if !ok {
		return false
	}
	for _, r := range vars {
		m.set(r, reduce.Value(strconv.FormatInt(dist[r]-dist[noTerm], 10)))
	}
	return m.checkArithmetic(apps)
}

// checkArithmetic evaluates every application of arithmetic and compares it
// with what the path says of its class.
func (m *model) checkArithmetic(apps []term) bool {
	derived := map[term]reduce.Value{}
	look := func(r term) (reduce.Value, bool) {
		if v, ok := m.values[r]; ok {
			return v, true
		}
		v, ok := derived[r]
		return v, ok
	}
	for _, x := range apps {
		n := m.engine.terms.of(x)
		a, okA := look(m.cls.find(n.args[0]))
		b, okB := look(m.cls.find(n.args[1]))
		if !okA || !okB {
			continue
		}
		v, ok, err := reduce.Fold(n.name, []reduce.Value{a, b})
		if err != nil || !ok {
			continue
		}
		r := m.cls.find(x)
		if have, ok := look(r); ok && have != v {
			return false
		}
		derived[r] = v
	}
	for _, d := range m.cls.differ {
		a, okA := look(m.cls.find(d[0]))
		b, okB := look(m.cls.find(d[1]))
		if okA && okB && a == b {
			return false
		}
	}
	for _, r := range sortedTerms(derived) {
		m.set(r, derived[r])
	}
	return true
}
