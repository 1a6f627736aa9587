package register_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// TestEffect: what an effect is does not depend on how functions are called that do
// something else.
func TestEffect(t *testing.T) {
	for name, want := range map[string]register.Action{
		register.SendEffect:                      {Kind: register.Sent},
		register.CloseEffect:                     {Kind: register.Closed},
		register.ClearEffect:                     {Kind: register.Cleared},
		register.CopyEffect:                      {Kind: register.Copied},
		register.StoreCaptured:                   {Kind: register.Stored},
		"store pkg.T.f":                          {Kind: register.Stored},
		"store element":                          {Kind: register.Stored},
		"map assign":                             {Kind: register.Stored},
		register.Unnamed:                         {Kind: register.Called},
		"go func":                                {Kind: register.Started},
		"go (*T).run":                            {Kind: register.Started, Callee: "(*T).run"},
		register.OperationEffect(register.Write): {Kind: register.Operated},
		"send":                                   {Kind: register.Called, Callee: "send"},
		"write":                                  {Kind: register.Called, Callee: "write"},
		"close":                                  {Kind: register.Called, Callee: "close"},
		"(*os.File).Close":                       {Kind: register.Called, Callee: "(*os.File).Close"},
	} {
		for _, text := range []string{name, register.Then + name} {
			in := register.Instr{Op: register.Effect, Name: text}
			want.Name = name
			assert.Equal(t, want, in.Effect(), text)
		}
		in := register.Instr{Op: register.Unknown, Name: name + "#1"}
		assert.Equal(t, register.Action{}, in.Effect())
		assert.Equal(t, name, in.Site())
	}
	assert.Equal(t, "write", register.EffectText(register.OperationEffect(register.Write)))
	assert.Equal(t, "send", register.EffectText(register.SendEffect))
	assert.Equal(t, "then close", register.EffectText(register.Then+register.CloseEffect))
	assert.Equal(t, "store pkg.T.f", register.EffectText("store pkg.T.f"))
}
