package register_test

import (
	"strings"
	"testing"

	"github.com/mapatom/mapatom/internal/reduce/register"
	"github.com/stretchr/testify/require"
)

// A block that assigns the literal that the next one branches on goes its own way;
// one that assigns something else, or the literal before something else, does not.
func TestGoDecided(t *testing.T) {
	p := parseOne(t, `
func f(a, b, c)

b0:
    branch a, b1, b2

b1:
    x = c
    x = true
    jump b5

b2:
    branch b, b3, b4

b3:
    x = false
    jump b5

b4:
    x = true
    x = c
    jump b5

b5:
    branch x, b6, b7

b6:
    return 1

b7:
    return 2
`)
	require.True(t, register.GoDecided(p))
	require.Equal(t, []int{6}, p.Blocks[1].Term.To)
	require.Equal(t, []int{7}, p.Blocks[3].Term.To)
	require.Equal(t, []int{5}, p.Blocks[4].Term.To)
	require.False(t, register.GoDecided(p), "nothing is left to decide")
}

// A struct that is another one on each way has fields that are known where the way is, and the block that only
// took them apart is none any more.
func TestChosenStruct(t *testing.T) {
	p := parseOne(t, `
func f(a, id)
var id int
var j, j1, j2 aggregate "T"

b0:
    branch a, b1, b2

b1:
    j1 = pure "struct:T"(id, "text")
    j = j1
    ok = true
    jump b3

b2:
    j2 = pure "struct:T"(0, "")
    j = j2
    ok = false
    jump b3

b3:
    found = pure "field:T.ID"(j)
    branch ok, b4, b5

b4:
    effect use(found)
    return j

b5:
    return 0
`)
	p.FieldPlaces = map[string]int{"T.ID": 0}
	register.Tidy(p)
	text := p.String()
	require.Contains(t, text, "effect use(id)")
	require.NotContains(t, text, "field:T.ID")
	require.Contains(t, text, "return j1")
}

// A struct of which one place does not say how it is made, or which is made of what is another by then, is
// taken apart where it is.
func TestChosenStructUnknown(t *testing.T) {
	for name, other := range map[string]string{
		"given":    "j2 = unknown make()",
		"assigned": "n = unknown one()\n    j2 = pure \"struct:T\"(n, \"\")\n    n = unknown other()\n    effect use(n)",
	} {
		p := parseOne(t, `
func f(a, id)
var id int
var j, j1, j2 aggregate "T"

b0:
    branch a, b1, b2

b1:
    j1 = pure "struct:T"(id, "text")
    j = j1
    jump b3

b2:
    `+other+`
    j = j2
    jump b3

b3:
    found = pure "field:T.ID"(j)
    return found
`)
		p.FieldPlaces = map[string]int{"T.ID": 0}
		register.Tidy(p)
		require.Contains(t, p.String(), "field:T.ID", name)
	}
}

// What was asked on the only way to a block is known there, unless it was assigned since.
func TestGoDecidedAskedBefore(t *testing.T) {
	p := parseOne(t, `
func f(a, b)

b0:
    branch a, b1, b2

b1:
    x = b
    branch a, b3, b4

b2:
    a = b
    jump b5

b3:
    n = pure not(a)
    jump b6

b4:
    return a

b5:
    branch a, b6, b7

b6:
    return 2

b7:
    return 3
`)
	require.True(t, register.GoDecided(p))
	require.Equal(t, []int{3}, p.Blocks[1].Term.To, "a is true there")
	require.Equal(t, []register.Operand{register.Lit(register.LitTrue)}, p.Blocks[3].Instrs[0].Args, "and there")
	require.Equal(t, []int{5}, p.Blocks[2].Term.To, "a is what b is")
	require.Len(t, p.Blocks[5].Term.To, 2, "one of two ways leads there")
	require.False(t, register.GoDecided(p), "nothing is left to decide")
}

// A branch of which one way leads back to it stays: the local may be another then.
func TestGoDecidedRound(t *testing.T) {
	p := parseOne(t, `
func f(a, b)

b0:
    jump b1

b1:
    branch a, b2, b3

b2:
    a = b
    jump b1

b3:
    return 1
`)
	require.False(t, register.GoDecided(p))
}

const asksForError = `
func f(m, shut, from)
cell c0 atomic m zero nil

b0:
    branch shut, b1, b2

b1:
    e = %s
    err = e
    jump b3

b2:
    lock w m
    err = nil
    jump b3

b3:
    eq = pure eq(err, nil)
    is = pure not(eq)
    branch is, b4, b5

b4:
    return err

b5:
    v, _ = read c0
    unlock w m
    return v
`

// Who was refused goes to where he is told, and who was not to where it is done; where it is not known,
// both come to the question.
func TestGoByNil(t *testing.T) {
	for gives, asks := range map[string]bool{
		`pure errors.New("shut")`:     false,
		`pure load(&p.ErrShut)`:       false,
		`pure fmt.Errorf("%w", from)`: false,
		`pure load(&p.shutBy)`:        true,
		`unknown load(&p.ErrShut)`:    true,
		`pure p.reason(from)`:         true,
	} {
		p := parseOne(t, strings.Replace(asksForError, "%s", gives, 1))
		register.Tidy(p)
		some := false
		for _, blk := range p.Blocks {
			for i := range blk.Instrs {
				some = some || blk.Instrs[i].Name == "eq"
			}
		}
		require.Equal(t, asks, some, "%s: %s", gives, p)
	}
}

// A struct that is put together of all fields of another one, each in its place, is that one.
func TestStructOfItsFields(t *testing.T) {
	for args, want := range map[string]string{
		"x, y":  "return v",
		"y, x":  "return s",
		"x, y2": "return s",
	} {
		p := parseOne(t, `
func f(v, w)

b0:
    x = pure "field:T.x"(v)
    y = pure "field:T.y"(v)
    y2 = pure "field:T.y"(w)
    s = pure "struct:T"(`+args+`)
    return s
`)
		p.FieldPlaces = map[string]int{"T.x": 0, "T.y": 1}
		register.Tidy(p)
		require.Contains(t, p.String(), want, args)
	}
}

// Where the fields are taken out on one way only, the struct may not be there.
func TestStructOfItsFieldsElsewhere(t *testing.T) {
	p := parseOne(t, `
func f(c, d)

b0:
    x = unknown "undef"()
    y = unknown "undef"()
    branch c, b1, b2

b1:
    w = unknown now()
    x = pure "field:T.x"(w)
    y = pure "field:T.y"(w)
    jump b2

b2:
    branch d, b3, b4

b3:
    s = pure "struct:T"(x, y)
    return s

b4:
    return 0
`)
	p.FieldPlaces = map[string]int{"T.x": 0, "T.y": 1}
	register.Tidy(p)
	require.NoError(t, register.Check(p))
	require.Contains(t, p.String(), "struct:T")
}

// emptiedEachRound has a loop in which a variable is nil at first, in each round.
const emptiedEachRound = `
func f(a, x)

b0:
    jump b1

b1:
    v = nil
    key = unknown g()
    branch a, b2, b3

b2:
    v = key
    jump b3

b3:
    empty = pure eq(v, nil)
    more = pure not(empty)
    branch more, b4, b5

b4:
    effect use(v)
    branch x, b1, b5

b5:
    return
`

// TestKnowNotNil: a variable that is nil or one other value is that value where it is not nil; not where that value is another
// one in each round of a loop, or the variable is a parameter, or is assigned again there.
func TestKnowNotNil(t *testing.T) {
	const source = `
func f(a, x)

b0:
    key = unknown g()
    v = nil
    branch a, b1, b2

b1:
    v = key
    jump b2

b2:
    empty = pure eq(v, nil)
    more = pure not(empty)
    branch more, b3, b4

b3:
    effect use(v)
    return v

b4:
    return v
`
	p := parseOne(t, source)
	require.True(t, register.KnowNotNil(p))
	require.Contains(t, p.String(), "effect use(key)\n    return key")
	require.Contains(t, p.String(), "b4:\n    return v")
	round := parseOne(t, emptiedEachRound)
	require.True(t, register.KnowNotNil(round))
	require.Contains(t, round.String(), "effect use(key)")
	for name, other := range map[string]string{
		"a round without nil": strings.NewReplacer("b1:\n    v = nil\n", "b1:\n", "b0:\n", "b0:\n    v = nil\n").Replace(emptiedEachRound),
		"a round in a round":  strings.Replace(emptiedEachRound, "    v = key\n    jump b3", "    v = key\n    branch x, b2, b3", 1),
		"a parameter":         strings.NewReplacer("f(a, x)", "f(a, v)", "    v = nil\n", "").Replace(source),
		"assigned again":      strings.Replace(source, "effect use(v)", "v = nil\n    effect use(v)", 1),
		"asked before":        strings.Replace(source, "    branch more", "    v = key\n    branch more", 1),
		"two values":          strings.Replace(source, "v = nil", "v = x", 1),
		"made on one way":     strings.NewReplacer("    key = unknown g()\n", "", "    v = key\n", "    key = unknown g()\n    v = key\n").Replace(source),
		"in a loop": `
func f(a, x)

b0:
    v = nil
    jump b1

b1:
    key = unknown g()
    branch a, b2, b3

b2:
    v = key
    branch x, b1, b3

b3:
    empty = pure eq(v, nil)
    more = pure not(empty)
    branch more, b4, b5

b4:
    return v

b5:
    return v
`,
	} {
		t.Run(name, func(t *testing.T) {
			q := parseOne(t, other)
			require.False(t, register.KnowNotNil(q), "%s", q)
		})
	}
}

// TestThrough: a block that only says the opposite of what is known is gone through, unless an entry of a map
// is named by it.
func TestThrough(t *testing.T) {
	const source = `
func f(m, v)
cell c0 map m["k"] zero nil label "m[k]"

b0:
    branch v, b1, b2

b1:
    effect tell(v)
    jump b2

b2:
    n = pure not(v)
    branch n, b3, b4

b3:
    x, _ = read c0
    return x

b4:
    return nil
`
	p := parseOne(t, source)
	require.True(t, register.GoDecided(p))
	require.Contains(t, p.String(), "effect tell(true)\n    jump b4")
	named := parseOne(t, strings.Replace(source, `m["k"]`, "m[n]", 1))
	register.GoDecided(named)
	require.Contains(t, named.String(), "effect tell(true)\n    jump b2")
}
