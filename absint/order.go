package absint

// bound is one difference constraint on integers: x - y <= c. The node
// noTerm stands for zero.
type bound struct {
	x, y term
	c    int64
}

// ordered reports whether what is known of lt and le can hold of integers.
// Every such fact is a difference constraint; they contradict each other if
// and only if there is a cycle of negative weight (Bellman and Ford).
func (c *classes) ordered() bool {
	bounds := c.bounds()
	if len(bounds) < 2 {
		return true
	}
	_, ok := relax(bounds)
	return ok
}

func (c *classes) bounds() []bound {
	var bounds []bound
	for _, x := range c.members {
		n := c.terms.of(x)
		if n.kind != appTerm || len(n.args) != 2 {
			continue
		}
		switch n.name {
		case "lt", "le":
			bounds = c.addOrder(bounds, x, n)
		case "add":
			bounds = c.addSum(bounds, x)
		}
	}
	return bounds
}

// place is the class that an integer term is counted from, and how far.
func (c *classes) place(x term) (term, int64) {
	base, k := c.terms.linear(x)
	if base == noTerm {
		return noTerm, k
	}
	r := c.find(base)
	if v, ok := c.terms.integer(r); ok {
		return noTerm, v + k
	}
	return r, k
}

func (c *classes) addOrder(bounds []bound, x term, n *node) []bound {
	a, ka := c.place(n.args[0])
	b, kb := c.place(n.args[1])
	strict := int64(0)
	switch c.find(x) {
	case c.terms.trueT: // a + ka <= b + kb, or <
		if n.name == "lt" {
			strict = 1
		}
		return append(bounds, bound{a, b, kb - ka - strict})
	case c.terms.falseT: // b + kb < a + ka, or <=
		if n.name == "le" {
			strict = 1
		}
		return append(bounds, bound{b, a, ka - kb - strict})
	}
	return bounds
}

// addSum says that a sum and the class that it is in are the same number.
func (c *classes) addSum(bounds []bound, x term) []bound {
	base, k := c.place(x)
	r := c.find(x)
	if v, ok := c.terms.integer(r); ok {
		return append(bounds, bound{base, noTerm, v - k}, bound{noTerm, base, k - v})
	}
	if r == base {
		return bounds
	}
	return append(bounds, bound{r, base, k}, bound{base, r, -k})
}

// relax finds numbers that keep the bounds, starting from a node that is at
// distance zero from every other one; false if there are none.
func relax(bounds []bound) (map[term]int64, bool) {
	dist := map[term]int64{}
	for range 2*len(bounds) + 1 {
		changed := false
		for _, b := range bounds {
			if d := dist[b.y] + b.c; d < dist[b.x] {
				dist[b.x], changed = d, true
			}
		}
		if !changed {
			return dist, true
		}
	}
	return nil, false
}
