package reduce

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mapatom/mapatom/internal/reduce/register"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// addToBucket uses what it found, or what it put in, or what was put in before
// it came to that; then it goes on with another map.
const addToBucket = `
func "addToBucket"(m, key, by, other)
cell c0 map m[key] zero nil label "m[key]"
cell c1 map other[key] zero nil label "other[key]"

b0:
    found, ok = read c0
    branch ok, b1, b2

b1:
    effect "add"(found, by)
    jump b4

b2:
    made = fresh T#1(by)
    old, won = cas c0, absent, made
    branch won, b4, b3

b3:
    effect "add"(old, by)
    jump b4

b4:
    _, _ = write c1, by
    return true
`

func parseOne(t *testing.T, src string) *register.Program {
	ps, err := register.Parse("test", []byte(src))
	require.NoError(t, err)
	require.Len(t, ps, 1)
	return ps[0]
}

func TestRegionSharesNothing(t *testing.T) {
	p := parseOne(t, addToBucket)
	before := p.String()
	for range 2 {
		region, _, err := NewWhole(p).Region(register.Accesses(p)[:2], []int{0})
		require.NoError(t, err)
		require.NoError(t, onePiece(region))
		require.Equal(t, before, p.String())
	}
}

// TestRegionTail: what follows is a part of the region, so that the two ways to
// the join are told apart by what they do and not by where they are.
func TestRegionTail(t *testing.T) {
	p := parseOne(t, addToBucket)
	region, _, err := NewWhole(p).Region(register.Accesses(p)[:2], []int{0})
	require.NoError(t, err)
	text := region.String()
	assert.Contains(t, text, "effect add(found, by)")
	assert.Contains(t, text, "effect add(old, by)")
	assert.Contains(t, text, `effect "then cell write"(other, key, by)`)
	assert.Contains(t, text, "return true")
	assert.NotContains(t, text, "exit")
}

// TestStepShows: of a step of the package, what it is shown is left, and not
// what it makes of that.
func TestStepShows(t *testing.T) {
	p := parseOne(t, `
func "take"(m, key)
cell c0 map m[key] zero nil label "m[key]"

b0:
    old, had = write c0, absent
    branch had, b1, b2

b1:
    effect "use"(old)
    return "found"

b2:
    return "nothing"
`)
	p, err := NewWhole(p).Step(register.Accesses(p), []int{0})
	require.NoError(t, err)
	assert.Equal(t, `func take(m, key)
cell c0 map m[key] zero nil label "m[key]"

b0:
    old, had = write c0, absent
    return old, had
`, p.String())
}

// TestStepTells: of a step of the package, what it found is shown where it ends with that.
func TestStepTells(t *testing.T) {
	p := parseOne(t, `
func "set"(m, key, v)
cell c0 map m[key] zero nil label "m[key]"
var ok bool

b0:
    was, _ = read c0
    _, ok = cas c0, was, v
    branch ok, b1, b2

b1:
    return nil

b2:
    return was
`)
	p, err := NewWhole(p).Step(register.Accesses(p), []int{0})
	require.NoError(t, err)
	assert.Equal(t, `func set(m, key, v)
cell c0 map m[key] zero nil label "m[key]"
var ok bool

b0:
    was, _ = read c0
    shown = was
    _, ok = cas weak c0, was, v
    branch ok, b1, b2

b1:
    shown = {unseen}
    jump b2

b2:
    return shown, ok
`, p.String())
}

// TestStepAsksNobody: what is computed from nothing, such as the time, is no test of what the step gave.
func TestStepAsksNobody(t *testing.T) {
	p := parseOne(t, `
func "touch"(m, key)
cell c0 map m[key] zero nil label "m[key]"

b0:
    now = pure "time.Now"()
    _, had = write c0, now
    branch had, b1, b2

b1:
    return "again"

b2:
    return "first"
`)
	p, err := NewWhole(p).Step(register.Accesses(p), []int{0})
	require.NoError(t, err)
	assert.Contains(t, p.String(), "return had")
}

// TestStepAddsUp: what a loop adds up, one round from the other, is told and not known from itself.
func TestStepAddsUp(t *testing.T) {
	p := parseOne(t, `
func "count"(m, key, n)
cell c0 map m[key] zero nil label "m[key]"

b0:
    jump b1

b1:
    was, _ = read c0
    go = pure eq(was, nil)
    branch go, b2, b3

b2:
    n = pure add(n, 1)
    jump b1

b3:
    return n
`)
	p, err := NewWhole(p).Step(register.Accesses(p), []int{0})
	require.NoError(t, err)
	assert.Contains(t, p.String(), "n = pure add(n, 1)\n    shown = n\n")
}

// TestStepGuarded: what was asked before the step about a value that it uses is asked
// again, and what was asked about another one is not.
func TestStepGuarded(t *testing.T) {
	p := parseOne(t, `
func "put"(m, key, n, other)
cell c0 map m[key] zero nil label "m[key]"
var n int

b0:
    some = pure eq(other, nil)
    branch some, b5, b1

b1:
    zero = pure eq(n, 0)
    branch zero, b5, b2

b2:
    next = pure add(n, 1)
    small = pure lt int(next, 9)
    branch small, b3, b5

b3:
    _, _ = write c0, next
    jump b4

b4:
    return

b5:
    return
`)
	p, err := NewWhole(p).Step(register.Accesses(p), []int{0})
	require.NoError(t, err)
	text := p.String()
	assert.Contains(t, text, `func put(m, key, n)`)
	assert.Contains(t, text, "branch zero")
	assert.Contains(t, text, "branch small")
	assert.NotContains(t, text, "other")
}

// TestStepGuardedByKeys: whether two keys of the step are one is asked again, and what one of them is, is not.
func TestStepGuardedByKeys(t *testing.T) {
	p := parseOne(t, `
func "move"(m, from, to)
cell c0 map m[from] zero nil label "m[from]"
cell c1 map m[to] zero nil label "m[to]"

b0:
    none = pure eq(from, "")
    branch none, b3, b1

b1:
    same = pure eq(from, to)
    branch same, b3, b2

b2:
    was, had = write c0, absent
    _, _ = write c1, was
    jump b3

b3:
    return
`)
	p, err := NewWhole(p).Step(register.Accesses(p), []int{0, 1})
	require.NoError(t, err)
	assert.Contains(t, p.String(), "branch same")
	assert.NotContains(t, p.String(), "branch none")
}

// jobs takes one job after the other: each round waits for it.
const jobs = `
func "jobs"(m, key)
cell c0 map m[key] zero nil label "m[key]"

b0:
    jump b1

b1:
    %s
    job = unknown "receive#1"()
    was, had = read c0
    same = pure eq(was, job)
    branch same, b2, b3

b2:
    return had

b3:
    _, _ = write c0, job
    jump b1
`

// TestRoundsOfJobs: a loop that waits in each round is no retry loop, though what it
// finds decides whether it goes on.
func TestRoundsOfJobs(t *testing.T) {
	rounds := func(first string) int {
		p := parseOne(t, fmt.Sprintf(jobs, first))
		r, _, err := NewWhole(p).Region(register.Accesses(p), []int{0})
		require.NoError(t, err)
		return len(register.Loops(r))
	}
	assert.Equal(t, 0, rounds(`blocking "receive"()`))
	assert.Equal(t, 1, rounds(`effect "poll"()`))
}

// TestRegionSetBefore: a local that is set before the region, and in one branch of it,
// has two values.
func TestRegionSetBefore(t *testing.T) {
	p := parseOne(t, `
func "keep"(m, key, next, keep)
cell c0 map m[key] zero nil label "m[key]"

b0:
    new = next
    old, _ = read c0
    branch keep, b1, b2
b1:
    new = old
    jump b2
b2:
    _, _ = write c0, new
    return
`)
	region, _, err := NewWhole(p).Region(register.Accesses(p), []int{0})
	require.NoError(t, err)
	text := region.String()
	assert.Contains(t, text, "branch keep")
	assert.Contains(t, text, "new = old")
	assert.Contains(t, text, "write c0, new")
}

// TestRegionAskedBefore: what was asked of an argument before the region is known to be
// about it, unless the argument is another one by then.
func TestRegionAskedBefore(t *testing.T) {
	const text = `
func "put"(m, key, n)
cell c0 map m[key] zero nil label "m[key]"

b0:
    big = pure lt(100, n)
%s    branch big, b1, b2
b1:
    effect "log"(n)
    jump b2
b2:
    old, _ = read c0
    branch big, b3, b4
b3:
    _, _ = write c0, n
    return old
b4:
    _, _ = write c0, 0
    return old
`
	for between, want := range map[string]string{"": "big = pure lt(100, n)", "    n = pure add(n, 1)\n": "func put(m, key, n, big)"} {
		p := parseOne(t, fmt.Sprintf(text, between))
		region, _, err := NewWhole(p).Region(register.Accesses(p), []int{0})
		require.NoError(t, err)
		assert.Contains(t, region.String(), want)
	}
}

// TestRegionBeginsInSection: where the ways to two operations part inside a section about
// another cell, the region begins in it, and each way ends it.
func TestRegionBeginsInSection(t *testing.T) {
	p := parseOne(t, `
func "claim"(m, key, other)
cell c0 map m[key] zero nil label "m[key]"
cell c1 map other[key] zero nil label "other[key]"

b0:
    enter
    _, ready = read c1
    branch ready, b1, b2

b1:
    leave
    _, ok = read c0
    branch ok, b3, b4

b2:
    leave
    _, ok = read c0
    branch ok, b4, b3

b3:
    return false

b4:
    _, _ = write c0, key
    return true
`)
	region, start, err := NewWhole(p).Region(register.Accesses(p)[1:], []int{0})
	require.NoError(t, err)
	assert.Equal(t, register.Ref{Block: 0, Instr: 2}, start)
	require.NoError(t, register.Check(region))
	enters := 0
	for _, b := range region.Blocks {
		for _, in := range b.Instrs {
			if in.Op == register.Enter {
				enters++
			}
		}
	}
	assert.Equal(t, 1, enters)
}

// TestRegionEndsEarlyAfterElsewhere: an operation on a cell of another region can become two
// instructions, and all that comes before the end is there all the same.
func TestRegionEndsEarlyAfterElsewhere(t *testing.T) {
	p := parseOne(t, `
func "replace"(m, key, others, next)
cell c0 map m[key] zero nil label "m[key]"
cell c1 map others[key] zero nil label "others[key]"

b0:
    old, had = read c0
    _, _ = write c1, old
    _, _ = write c0, next
`+strings.Repeat("    effect \"log\"(key)\n", 40)+"    return had\n")
	accesses := slices.DeleteFunc(register.Accesses(p), func(a *register.Access) bool {
		return slices.ContainsFunc(a.Ops, func(at register.Ref) bool { return p.Blocks[at.Block].Instrs[at.Instr].Cell != 0 })
	})
	require.Len(t, accesses, 2)
	region, _, err := NewWhole(p).Region(accesses, []int{0})
	require.NoError(t, err)
	require.NoError(t, register.Check(region))
	assert.Contains(t, region.String(), "write c0, next")
}

// TestRegionDeclaresFound: what was found in another cell is an argument of the region, or
// anything, and has the type that the cell says: it may be branched on.
func TestRegionDeclaresFound(t *testing.T) {
	p := parseOne(t, `
func "check"(s, used)
cell c0 atomic full of bool zero false label "s.full"
cell c1 atomic most of int zero 0 label "s.most"

b0:
    full, _ = read c0
    most, _ = read c1
    none = pure eq(most, 0)
    branch none, b1, b2

b1:
    branch full, b3, b4

b2:
    again, _ = read c0
    now, _ = read c1
    above = pure lt(now, used)
    return again, above

b3:
    _, _ = write c0, false
    jump b4

b4:
    return false, false
`)
	of := func(cell int) *register.Program {
		var accesses []*register.Access
		for _, a := range register.Accesses(p) {
			if a.Cell == cell {
				accesses = append(accesses, a)
			}
		}
		region, _, err := NewWhole(p).Region(accesses, []int{cell})
		require.NoError(t, err)
		return region
	}
	kindOf := func(p *register.Program, name string) register.TypeKind {
		return p.TypeOf(register.Local(slices.Index(p.Names, name))).Kind
	}
	assert.Equal(t, register.Bool, kindOf(of(1), "full"))
	assert.Equal(t, register.Bool, kindOf(of(1), "again"))
	assert.Equal(t, register.Int, kindOf(of(0), "most"))
}

// asked looks at another cell than its own, and needs what is there; and it needs what it finds itself.
const asked = `
func "asked"(m, key, other)
cell c0 map m[key] zero nil label "m[key]"
cell c1 map other[key] zero nil label "other[key]"

b0:
    found, _ = read c0
    isnil = pure eq(found, nil)
    branch isnil, b1, b2

b1:
    panic "nil dereference" ()

b2:
    old = pure age(found)
    branch old, b3, b7

b3:
    level, _ = read c1
    isnil2 = pure eq(level, nil)
    branch isnil2, b4, b5

b4:
    panic "nil dereference" ()

b5:
    t = pure asks(level)
    branch t, b6, b7

b6:
    _, _ = write c0, level
    return true

b7:
    return false
`

// TestRegionChecksItsOwn: whether there is something in another cell is no question of a region; whether there is in its own
// is one.
func TestRegionChecksItsOwn(t *testing.T) {
	p := parseOne(t, asked)
	accesses := register.Accesses(p)
	own := slices.DeleteFunc(slices.Clone(accesses), func(a *register.Access) bool { return a.Cell != 0 })
	region, _, err := NewWhole(p).Region(own, []int{0})
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(region.String(), "panic"), "%s", region)
	require.Contains(t, region.String(), "eq(found, nil)")
	both, _, err := NewWhole(p).Region(accesses, []int{0, 1})
	require.NoError(t, err)
	require.Equal(t, 2, strings.Count(both.String(), "panic"), "%s", both)
}
