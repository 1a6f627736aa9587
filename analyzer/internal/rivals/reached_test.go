package rivals

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

func counterStep(t *testing.T, body string) absint.Step {
	t.Helper()
	progs, err := register.Parse("step.reg", []byte("\nfunc f(x)\ncell c0 atomic &n zero 0 label \"n\"\n\n"+body))
	require.NoError(t, err)
	return absint.Step{Name: "f", Program: progs[0], Cells: []int{0}, Bind: []int{-1}}
}

// take counts up to a limit, store stores its argument.
const (
	take = `b0:
    enter
    old, _ = read c0
    full = pure le(12, old)
    branch full, b1, b2

b1:
    leave
    return full

b2:
    sum = pure add(old, 1)
    _, _ = write c0, sum
    leave
    return full
`
	store = `b0:
    _, _ = write c0, x
    return
`
)

func TestReached(t *testing.T) {
	up, set := counterStep(t, take), counterStep(t, store)
	values := func(vs ...register.Value) []register.Value { return vs }
	for name, c := range map[string]struct {
		steps   []absint.Step
		initial []register.Value
		want    []register.Value
	}{
		"no step":            {want: nil},
		"up to the limit":    {steps: []absint.Step{up}, want: values("11", "12")},
		"beyond it":          {steps: []absint.Step{up, set}, want: values("11", "12", "13")},
		"from the beginning": {initial: values("13", absint.Anything), want: values("13")},
	} {
		assert.Equal(t, c.want, Reached(up.Program, c.steps, c.initial), name)
	}
	assert.Nil(t, Reached(set.Program, []absint.Step{set}, nil), "no limit")
}
