package goracle

import (
	"fmt"
	"slices"
	"strings"
)

// statement makes a statement that may contain others.
func (g *generator) statement() {
	switch n := g.r.IntN(100); {
	case n < 40:
		g.conditional()
	case n < 65:
		g.operation(g.chance(35))
	case n < 70 && g.has(Loops) && !g.inLoop && g.depth < 3:
		g.loop()
	case n < 75 && g.has(Closures) && !g.plain && g.depth < 3:
		g.closure()
	case n < 80 && g.has(Goroutines) && !g.held && !g.plain && !g.inLoop && g.depth < 3:
		g.goroutine()
	case n < 85:
		g.choice()
	case n < 88 && g.has(Effects):
		g.change()
	case n < 90 && g.has(Panics) && !g.inGoroutine:
		g.line("if %s {", g.condition())
		g.line("\tpanic(%q)", pick(g, "p", "q"))
		g.line("}")
	case n < 94 && g.has(Unknowns):
		if v, ok := g.variableOf(pick(g, g.elem, "any", "bool")); ok {
			g.told(v)
		}
	case n < 92 && g.has(Defers) && !g.plain && !g.inLoop:
		g.deferred()
	default:
		g.assignment()
	}
	g.ops -= boolInt(g.chance(20)) // so that it comes to an end
}

// told gives a value to a function of which nothing is known, which may fail.
func (g *generator) told(v string) {
	if g.chance(50) {
		g.line("s.hook(%s)", v)
		return
	}
	g.line("if s.try(%s) %s nil {", v, pick(g, "!=", "=="))
	g.branch()
	g.line("}")
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// conditional is an if, perhaps with an else.
func (g *generator) conditional() {
	if !g.informed() {
		g.operation(true)
		return
	}
	g.line("if %s {", g.condition())
	g.branch()
	if g.chance(25) {
		g.line("} else {")
		g.branch()
	}
	g.line("}")
}

// informed reports whether there is anything that a condition can be about.
func (g *generator) informed() bool {
	return slices.ContainsFunc(g.scope, func(v variable) bool { return v.typ == g.elem || v.typ == "bool" || v.typ == "any" })
}

// branch is the inside of an if: a statement or two, perhaps a return.
func (g *generator) branch() {
	g.block(func() {
		if g.depth < 5 && g.ops > 0 && g.chance(85) {
			g.operation(g.chance(20))
			if g.chance(25) {
				g.statement()
			}
		} else if g.chance(50) {
			g.assignment()
		}
		if !g.plain && g.chance(45) {
			g.line("return %s", g.resultList())
		} else if g.inLoop && g.chance(30) {
			g.line("%s", pick(g, "break", "continue"))
		}
	})
}

// choice is a switch on a value.
func (g *generator) choice() {
	v, ok := g.variableOf(g.elem)
	if !ok || g.elem == "bool" || g.elem == "any" || strings.HasPrefix(g.elem, "*") {
		g.assignment()
		return
	}
	lits := g.literals(g.elem)
	g.line("switch %s {", v)
	a, b := pick(g, lits...), pick(g, lits...)
	g.line("case %s:", a)
	g.branch()
	if b != a {
		g.line("case %s:", b)
		g.branch()
	}
	if g.chance(50) {
		g.line("default:")
		g.branch()
	}
	g.line("}")
}

func (g *generator) loop() {
	g.names++
	i := fmt.Sprintf("i%d", g.names)
	g.line("for %s := 0; %s < 2; %s++ {", i, i, i)
	g.inLoop = true
	g.block(func() {
		g.operation(g.chance(60))
		g.conditional()
	})
	g.inLoop = false
	g.line("}")
}

func (g *generator) closure() {
	defer g.literal()()
	if g.chance(50) {
		g.line("func() {")
		g.block(g.twoStatements)
		g.line("}()")
	} else {
		g.names++
		name := fmt.Sprintf("f%d", g.names)
		g.line("%s := func() {", name)
		g.block(g.twoStatements)
		g.line("}")
		g.line("%s()", name)
		if g.chance(30) {
			g.line("%s()", name)
		}
	}
}

// literal is called before the inside of a function literal is made, where no
// statement can leave the function or a loop of it; what it returns, after.
func (g *generator) literal() func() {
	plain, inLoop := g.plain, g.inLoop
	g.plain, g.inLoop = true, false
	return func() { g.plain, g.inLoop = plain, inLoop }
}

func (g *generator) twoStatements() {
	g.operation(g.chance(50))
	g.statement()
}

// goroutine has a part of the function in a goroutine that it waits for.
func (g *generator) goroutine() {
	defer g.literal()()
	g.inGoroutine = true
	defer func() { g.inGoroutine = false }()
	g.names++
	name := fmt.Sprintf("w%d", g.names)
	wait := ""
	switch g.r.IntN(3) {
	case 0:
		g.line("%s := make(chan struct{})", name)
		g.line("go func() {")
		g.line("\tdefer close(%s)", name)
		g.block(g.twoStatements)
		g.line("}()")
		wait = "<-" + name
	case 1:
		g.line("var %s sync.WaitGroup", name)
		g.line("%s.Add(1)", name)
		g.line("go func() {")
		g.line("\tdefer %s.Done()", name)
		g.block(g.twoStatements)
		g.line("}()")
		wait = name + ".Wait()"
	default:
		g.line("var %s sync.WaitGroup", name)
		g.line("%s.Go(func() {", name)
		g.block(g.twoStatements)
		g.line("})")
		wait = name + ".Wait()"
	}
	g.line("%s", wait)
}

// deferred is a deferred operation or function, perhaps under a condition.
func (g *generator) deferred() {
	if g.chance(40) && len(g.scope) > 0 {
		g.line("if %s {", g.condition())
		g.block(g.deferredCall)
		g.line("}")
		return
	}
	g.deferredCall()
}

func (g *generator) deferredCall() {
	if !g.fields[0].guarded() {
		if c := g.call(); g.chance(50) {
			g.line("defer %s", c.text)
			return
		}
	}
	defer g.literal()()
	g.line("defer func() {")
	g.block(func() {
		if g.may(Panics, 30) {
			g.line("recover()")
		}
		g.operation(false)
	})
	g.line("}()")
}

// change changes an object in place.
func (g *generator) change() {
	v, ok := g.variableOf("*Unode")
	if !ok {
		return
	}
	g.line("if %s != nil {", v)
	g.line("\t%s.n%s", v, pick(g, "++", " = 5", " += 2"))
	g.line("}")
}

// assignment gives a variable another value.
func (g *generator) assignment() {
	v, ok := g.variableOf(pick(g, g.elem, "bool"))
	if !ok || v == "a" && g.plain {
		return
	}
	for _, x := range g.scope {
		if x.name == v {
			if e := g.expression(x.typ); e != v {
				g.line("%s = %s", v, e)
			}
			return
		}
	}
}

// retry is a loop until a compare-and-swap succeeds.
func (g *generator) retry() {
	f := g.fields[g.r.IntN(len(g.fields))]
	g.line("for {")
	g.block(func() {
		x, ok := g.load(&f)
		key := ""
		if f.isMap() {
			key = g.key() + ", "
			g.line("if !%s {", ok)
			g.block(func() {
				if g.chance(60) {
					fresh := g.stored(&f)
					g.line("if _, loaded := s.%s.LoadOrStore(%s%s); !loaded {", f.name, key, fresh)
					g.line("\treturn %s", g.resultList())
					g.line("}")
					g.line("continue")
				} else {
					g.line("return %s", g.resultList())
				}
			})
			g.line("}")
		}
		if g.chance(40) {
			g.line("if %s {", g.condition())
			g.line("\treturn %s", g.resultList())
			g.line("}")
		}
		if f.kind == "atomic.Value" {
			// Nothing can be swapped for what was never stored.
			g.line("if %s == nil {", x)
			g.line("\treturn %s", g.resultList())
			g.line("}")
		}
		if f.isMap() && g.chance(30) {
			g.line("if s.%s.CompareAndDelete(%s%s) {", f.name, key, x)
		} else {
			g.line("if s.%s.CompareAndSwap(%s%s, %s) {", f.name, key, x, g.stored(&f))
		}
		g.line("\treturn %s", g.resultList())
		g.line("}")
	})
	g.line("}")
	g.ops = 0
}

func (g *generator) resultList() string {
	var rs []string
	for _, t := range g.results {
		rs = append(rs, g.expression(t))
	}
	return strings.Join(rs, ", ")
}
