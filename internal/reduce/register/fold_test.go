package register_test

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// The judge of Go's arithmetic is Go: the operators below are compiled.

type integers interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~int | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uint | ~uintptr
}

// compiled are the binary operators at a type; quo, rem and shifts of what Go
// panics for are left out by the caller.
func compiled[T integers]() map[string]func(x, y T) T {
	return map[string]func(x, y T) T{
		"add":    func(x, y T) T { return x + y },
		"sub":    func(x, y T) T { return x - y },
		"mul":    func(x, y T) T { return x * y },
		"quo":    func(x, y T) T { return x / y },
		"rem":    func(x, y T) T { return x % y },
		"shl":    func(x, y T) T { return x << y },
		"shr":    func(x, y T) T { return x >> y },
		"and":    func(x, y T) T { return x & y },
		"or":     func(x, y T) T { return x | y },
		"xor":    func(x, y T) T { return x ^ y },
		"andnot": func(x, y T) T { return x &^ y },
		"neg":    func(x, _ T) T { return -x },
		"compl":  func(x, _ T) T { return ^x },
	}
}

func text[T any](v T) register.Value { return register.Value(fmt.Sprint(v)) }

func texts[T any](vs ...T) (out []register.Value) {
	for _, v := range vs {
		out = append(out, text(v))
	}
	return out
}

func agree[T integers](t require.TestingT, kind register.TypeKind, x, y T) {
	at := register.Type{Kind: kind}
	for name, op := range compiled[T]() {
		args := texts(x, y)
		if name == "neg" || name == "compl" {
			args = args[:1]
		}
		v, ok, err := register.Fold(name, at, args)
		require.NoError(t, err)
		panics := (name == "quo" || name == "rem") && y == 0 || (name == "shl" || name == "shr") && y < 0
		require.Equal(t, !panics, ok, "%s %s(%v, %v)", name, at.GoName(), x, y)
		if ok {
			require.Equal(t, text(op(x, y)), v, "%s %s(%v, %v)", name, at.GoName(), x, y)
		}
	}
	for name, want := range map[string]bool{"lt": cmp.Less(x, y), "le": x <= y, "eq": x == y} {
		v, ok, err := register.Fold(name, at, texts(x, y))
		require.NoError(t, err)
		require.True(t, ok)
		require.Equal(t, text(want), v)
	}
}

func TestArithmeticIsGos(t *testing.T) {
	for x := math.MinInt8; x <= math.MaxInt8; x += 3 {
		for y := math.MinInt8; y <= math.MaxInt8; y++ {
			agree(t, register.Int8, int8(x), int8(y))
			agree(t, register.Uint8, uint8(x), uint8(y))
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		x, y := rapid.Int64().Draw(t, "x"), rapid.Int64().Draw(t, "y")
		agree(t, register.Int64, x, y)
		agree(t, register.Uint64, uint64(x), uint64(y))
		agree(t, register.Int32, int32(x), int32(y))
		agree(t, register.Uint32, uint32(x), uint32(y))
		agree(t, register.NoType, int(x), int(y))
		agree(t, register.Uintptr, uintptr(x), uintptr(y))
	})
}

func TestConversionsAreGos(t *testing.T) {
	to := func(kind register.TypeKind, v register.Value) register.Value {
		got, ok, err := register.Fold("convert", register.Type{Kind: kind}, []register.Value{v})
		require.NoError(t, err)
		require.True(t, ok)
		return got
	}
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Int64().Draw(t, "x")
		require.Equal(t, text(int8(x)), to(register.Int8, text(x)))
		require.Equal(t, text(uint16(x)), to(register.Uint16, text(x)))
		require.Equal(t, text(uint64(x)), to(register.Uint64, text(x)))
		require.Equal(t, text(int64(uint64(x))), to(register.Int64, text(uint64(x))))
		require.Equal(t, real64(t, float64(x)), to(register.Float64, text(x)))
	})
}

func real64(t require.TestingT, f float64) register.Value {
	s, ok := register.Real(register.Float64, strconv.FormatFloat(f, 'f', -1, 64))
	require.True(t, ok)
	return register.Value(s)
}

func TestFloatsAreGos(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, y := rapid.Float64Range(-1e6, 1e6).Draw(t, "x"), rapid.Float64Range(-1e6, 1e6).Draw(t, "y")
		args := []register.Value{real64(t, x), real64(t, y)}
		want := map[string]float64{"add": x + y, "sub": x - y, "mul": x * y, "quo": x / y}
		for name, f := range want {
			v, ok, err := register.Fold(name, register.Type{Kind: register.Float64}, args)
			require.NoError(t, err)
			if ok {
				require.Equal(t, real64(t, f), v, name)
			}
		}
	})
}

func TestFoldAtTypes(t *testing.T) {
	float, tick := register.Type{Kind: register.Float64}, register.Type{Kind: register.Int64, Name: "time.Duration"}
	tests := []struct {
		name string
		at   register.Type
		args []register.Value
		want register.Value // "" where left open
	}{
		{"quo", float, values("1", "2"), "1/2"},
		{"quo", float, values("1", "0"), ""},
		{"feq", float, values("1/2", "1/2"), "true"},
		{"feq", float, values("v1", "v1"), ""},
		{"concat", register.Type{}, values(`"a"`, `"b"`), `"ab"`},
		{"len", register.Type{}, values(`"äb"`), "3"},
		{"len", register.Type{}, values("v1"), ""},
		{"lt", register.Type{Kind: register.String}, values(`"a"`, `"b"`), "true"},
		{"convert", register.Type{Kind: register.Int}, values("-5/2"), "-2"},
		{"convert", register.Type{Kind: register.Int8}, values("1000/3"), ""},
		{"box", tick, values("3"), "{time.Duration 3}"},
		{"box", tick, values("v1"), "{time.Duration v1}"},
		{"unbox", tick, values("{time.Duration v1}"), "v1"},
		{"unbox", tick, values("{time.Duration 3}"), "3"},
		{"unbox", tick, values("3"), ""},
		{"is", tick, values("{time.Duration 3}"), "true"},
		{"is", tick, values("3"), "false"},
		{"is", register.Type{Kind: register.Int}, values("3"), "true"},
		{"is", register.Type{Kind: register.String}, values(`"3"`), "true"},
		{"is", register.Type{Kind: register.String}, values("nil"), "false"},
		{"is", register.Type{Kind: register.Bool}, values("true"), "true"},
		{"is", register.Type{Kind: register.Pointer, Name: "*T"}, values("{nil *T}"), "true"},
		{"is", register.Type{Kind: register.Pointer, Name: "*T"}, values("T#1"), "true"},
		{"is", register.Type{Kind: register.Pointer, Name: "*U"}, values("T#1"), "false"},
		{"is", register.Type{Kind: register.Pointer, Name: "*T"}, values("v1"), ""},
	}
	for _, tt := range tests {
		v, ok, err := register.Fold(tt.name, tt.at, tt.args)
		require.NoError(t, err)
		assert.Equal(t, tt.want, v, "%s %s%v", tt.name, tt.at.GoName(), tt.args)
		assert.Equal(t, tt.want != "", ok, "%s %s%v", tt.name, tt.at.GoName(), tt.args)
	}
}
