package oracle

import "github.com/mapatom/mapatom/internal/reduce/register"

// Shape is a well-known way to use one cell, with its verdict in the open
// environment.
type Shape struct {
	Name         string
	Program      *register.Program
	Linearizable bool
}

// Shapes lists the shapes of extensions that are found in real code. Each
// call builds them anew.
func Shapes() []Shape {
	return []Shape{
		{"GOC", getOrCreate(), true},
		{"GOC pure", getOrCreatePure(), true},
		{"GOC throws", getOrCreateThrows(), true},
		{"GOC two kinds", getOrCreateKinds(), true},
		{"PIA", insertOnly(), true},
		{"GP", getPut(false), false},
		{"GP pure", getPut(true), false},
		{"GPI", getInsertOwn(), false},
		{"GPI constant", getInsertConstant(), false},
		{"GPI nullable", getInsertNullable(), false},
		{"GPI reget", getInsertReget(), false},
		{"CPG", checkInsertGet(), false},
		{"PG", insertGet(), false},
		{"N07", checkGetDelete(), false},
		{"N09", checkGetFallback(register.Str("none")), false},
		{"N09 nil", checkGetFallback(register.Lit(register.LitNil)), true},
		{"N16", checkGetLogPut(), false},
		{"N20", retryUntilPresent(), false},
		{"N23", checkRegister(), false},
		{"N23 twin", sharedRegister(), true},
		{"V20", countingLoop(true), true},
		{"V20 without retry", countingLoop(false), false},
		{"N04", priorityLoop(), false},
		{"load and store counter", counter(), false},
		{"delete if same", deleteIfSame(false), false},
		{"compare and delete", deleteIfSame(true), true},
		{"read twice", readTwice(), false},
		{"store and read back", storeReadBack(), false},
	}
}

// getOrCreate keeps the winner of its insertion.
func getOrCreate() *register.Program {
	b := newBuilder("GOC", mapCell())
	v, had := b.read(0)
	b.whenHad(had, v)
	n := b.fresh("T#1")
	o, ok := b.cas(0, register.Absent, n)
	return b.ret(b.pure("choose", ok, n, o))
}

// getOrCreatePure creates by a function of an argument.
func getOrCreatePure() *register.Program {
	b := newBuilder("GOCPure", mapCell())
	k := b.param("k")
	v, had := b.read(0)
	b.whenHad(had, v)
	n := b.pure("f", k)
	o, ok := b.cas(0, register.Absent, n)
	return b.ret(b.pure("choose", ok, n, o))
}

// getOrCreateThrows may fail to create.
func getOrCreateThrows() *register.Program {
	b := newBuilder("GOCThrows", mapCell())
	k := b.param("k")
	v, had := b.read(0)
	b.whenHad(had, v)
	good, bad := b.branch(b.pure("p", k))
	b.at(bad)
	b.panics("cannot create")
	b.at(good)
	n := b.fresh("T#1", k)
	o, ok := b.cas(0, register.Absent, n)
	return b.ret(b.pure("choose", ok, n, o))
}

// getOrCreateKinds chooses what to create by its argument.
func getOrCreateKinds() *register.Program {
	b := newBuilder("GOCKinds", mapCell())
	k := b.param("k")
	v, had := b.read(0)
	b.whenHad(had, v)
	first, second := b.branch(b.pure("eq", k, register.Lit("1")))
	b.at(second)
	other := b.fresh("U#1")
	o, ok := b.cas(0, register.Absent, other)
	b.ret(b.pure("choose", ok, other, o))
	b.at(first)
	n := b.fresh("T#1")
	o, ok = b.cas(0, register.Absent, n)
	return b.ret(b.pure("choose", ok, n, o))
}

func insertOnly() *register.Program {
	b := newBuilder("PIA", mapCell())
	n := b.fresh("T#1")
	o, ok := b.cas(0, register.Absent, n)
	return b.ret(b.pure("choose", ok, n, o))
}

// getPut overwrites what was inserted meanwhile.
func getPut(pure bool) *register.Program {
	b := newBuilder("GP", mapCell())
	var k register.Operand
	if pure {
		k = b.param("k")
	}
	v, had := b.read(0)
	b.whenHad(had, v)
	var n register.Operand
	if pure {
		n = b.pure("f", k)
	} else {
		n = b.fresh("T#1")
	}
	b.write(0, n)
	return b.ret(n)
}

// getInsertOwn ignores who won.
func getInsertOwn() *register.Program {
	b := newBuilder("GPI", mapCell())
	v, had := b.read(0)
	b.whenHad(had, v)
	n := b.fresh("T#1")
	b.cas(0, register.Absent, n)
	return b.ret(n)
}

func getInsertConstant() *register.Program {
	b := newBuilder("GPIConstant", mapCell())
	v, had := b.read(0)
	b.whenHad(had, v)
	b.cas(0, register.Absent, register.Lit("&none"))
	return b.ret(register.Lit("&none"))
}

// getInsertNullable inserts only what could be created.
func getInsertNullable() *register.Program {
	b := newBuilder("GPINullable", mapCell())
	k := b.param("k")
	v, had := b.read(0)
	b.whenHad(had, v)
	n := b.pure("f", k)
	b.whenHad(b.pure("eq", n, register.Lit(register.LitNil)), n)
	b.cas(0, register.Absent, n)
	return b.ret(n)
}

// getInsertReget reads again after it lost.
func getInsertReget() *register.Program {
	b := newBuilder("GPIReget", mapCell())
	v, had := b.read(0)
	b.whenHad(had, v)
	n := b.fresh("T#1")
	_, ok := b.cas(0, register.Absent, n)
	b.whenHad(ok, n)
	again, _ := b.read(0)
	return b.ret(again)
}

func checkInsertGet() *register.Program {
	b := newBuilder("CPG", mapCell())
	_, had := b.read(0)
	hit, miss := b.branch(had)
	b.at(miss)
	b.cas(0, register.Absent, b.fresh("T#1"))
	b.jump(hit)
	b.at(hit)
	v, _ := b.read(0)
	return b.ret(v)
}

func insertGet() *register.Program {
	b := newBuilder("PG", mapCell())
	b.cas(0, register.Absent, b.fresh("T#1"))
	v, _ := b.read(0)
	return b.ret(v)
}

// checkGetDelete removes a value and reports the one it read before.
func checkGetDelete() *register.Program {
	b := newBuilder("CGD", mapCell())
	_, had := b.read(0)
	hit, miss := b.branch(had)
	b.at(miss)
	b.ret(register.Lit(register.LitNil))
	b.at(hit)
	v, _ := b.read(0)
	b.write(0, register.Absent)
	return b.ret(v)
}

func checkGetFallback(fallback register.Operand) *register.Program {
	b := newBuilder("CGF", mapCell())
	_, had := b.read(0)
	hit, miss := b.branch(had)
	b.at(miss)
	b.ret(fallback)
	b.at(hit)
	v, _ := b.read(0)
	return b.ret(v)
}

// checkGetLogPut reads a field of the old value, which may be gone.
func checkGetLogPut() *register.Program {
	b := newBuilder("CGLP", mapCell())
	x := b.param("x")
	_, had := b.read(0)
	hit, put := b.branch(had)
	b.at(hit)
	v, _ := b.read(0)
	gone := b.block()
	b.branchTo(b.pure("eq", v, register.Lit(register.LitNil)), gone, put)
	b.at(gone)
	b.panics("nil dereference")
	b.at(put)
	b.write(0, x)
	return b.ret()
}

// retryUntilPresent may leak an insertion and return another value.
func retryUntilPresent() *register.Program {
	b := newBuilder("Retry", mapCell())
	loop := b.block()
	b.jump(loop)
	b.at(loop)
	v, had := b.read(0)
	b.whenHad(had, v)
	b.cas(0, register.Absent, b.fresh("T#1"))
	b.jump(loop)
	return b.p
}

// checkRegister says whether it registered its argument.
func checkRegister() *register.Program {
	b := newBuilder("CheckRegister", mapCell())
	x := b.param("x")
	_, had := b.read(0)
	b.whenHad(had, register.Lit(register.LitFalse))
	b.write(0, x)
	return b.ret(register.Lit(register.LitTrue))
}

// register is checkRegister done right, with a check before.
func sharedRegister() *register.Program {
	b := newBuilder("Register", mapCell())
	x := b.param("x")
	_, had := b.read(0)
	b.whenHad(had, register.Lit(register.LitFalse))
	_, ok := b.cas(0, register.Absent, x)
	return b.ret(ok)
}

// countingLoop is a counter in a map, which starts at 1.
func countingLoop(retry bool) *register.Program {
	b := newBuilder("Count", mapCell())
	loop, done := b.block(), b.block()
	again := done
	if retry {
		again = loop
	}
	b.jump(loop)
	b.at(loop)
	v, had := b.read(0)
	hit, miss := b.branch(had)
	b.at(miss)
	_, ok := b.cas(0, register.Absent, register.Lit("1"))
	b.branchTo(ok, done, again)
	b.at(hit)
	_, ok = b.cas(0, v, b.pure("inc", v))
	b.branchTo(ok, done, again)
	b.at(done)
	return b.ret()
}

// priorityLoop replaces values of lower priority; the value that it reads
// again may be gone.
func priorityLoop() *register.Program {
	b := newBuilder("Priority", mapCell())
	x := b.param("x")
	o, ok := b.cas(0, register.Absent, x)
	b.whenHad(ok)
	loop := b.block()
	b.jump(loop)
	b.at(loop)
	replace, keep := b.branch(b.pure("lower", o, x))
	b.at(keep)
	b.ret()
	b.at(replace)
	_, ok = b.cas(0, o, x)
	b.whenHad(ok)
	again, had := b.read(0)
	b.set(o, again)
	gone := b.block()
	b.branchTo(had, loop, gone)
	b.at(gone)
	b.panics("nil dereference")
	return b.p
}

// counter adds one in two steps.
func counter() *register.Program {
	b := newBuilder("Counter", atomicCell())
	v, _ := b.read(0)
	n := b.pure("inc", v)
	b.write(0, n)
	return b.ret(n)
}

// deleteIfSame removes the entry if it is the argument.
func deleteIfSame(atomic bool) *register.Program {
	b := newBuilder("DeleteIfSame", mapCell())
	x := b.param("x")
	v, _ := b.read(0)
	same, other := b.branch(b.pure("eq", v, x))
	b.at(other)
	b.ret()
	b.at(same)
	if atomic {
		b.cas(0, x, register.Absent)
	} else {
		b.write(0, register.Absent)
	}
	return b.ret()
}

func readTwice() *register.Program {
	b := newBuilder("ReadTwice", mapCell())
	v, _ := b.read(0)
	w, _ := b.read(0)
	return b.ret(v, w)
}

func storeReadBack() *register.Program {
	b := newBuilder("StoreReadBack", mapCell())
	x := b.param("x")
	b.write(0, x)
	v, _ := b.read(0)
	return b.ret(v)
}
