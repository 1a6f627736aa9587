package register

// Inverse gives the function that undoes a pure function of one argument, for
// those pairs in which numbers are kept in atomics of another type. That a bit
// pattern of a NaN may come back as another one is left out of account.
var Inverse = map[string]string{
	"math.Float64bits":     "math.Float64frombits",
	"math.Float64frombits": "math.Float64bits",
	"math.Float32bits":     "math.Float32frombits",
	"math.Float32frombits": "math.Float32bits",
}
