package catalog

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestClassify(t *testing.T) {
	_, info := checkSource(t, `package src
import (
	"bytes"; "context"; "errors"; "expvar"; "fmt"; "log"; "log/slog"; "math/rand"; "net/url"; "os"
	"regexp"; "runtime"; "slices"; "strconv"; "strings"; "sync"; "testing"; "time"
)
func f(e error, re *regexp.Regexp, now time.Time, ctx context.Context, mu *sync.Mutex, rw *sync.RWMutex,
	l sync.Locker, wg *sync.WaitGroup, lg *slog.Logger, tb testing.TB, ts *testing.T, n *expvar.Int, d time.Duration) {
	strings.Split("", ""); strings.Map(nil, ""); strings.NewReader("")
	strconv.Itoa(1); strconv.AppendInt(nil, 1, 2); fmt.Sprintf(""); fmt.Errorf(""); fmt.Println()
	errors.Is(e, e); errors.As(e, nil); bytes.Equal(nil, nil); url.PathEscape(""); url.Parse("")
	slices.Clone([]int{}); slices.Sort([]int{}); rand.Intn(1); os.Getenv(""); os.Remove("")
	regexp.MustCompile(""); runtime.Goexit(); log.Fatalf(""); log.Panicln()
	e.Error(); re.MatchString(""); re.Longest(); now.Add(0); now.MarshalJSON(); d.Seconds(); time.Now()
	ctx.Err(); ctx.Done(); context.WithCancel(ctx)
	mu.Lock(); rw.RLock(); rw.RUnlock(); l.Unlock(); mu.TryLock(); rw.TryRLock(); wg.Wait(); wg.Add(1)
	lg.Info(""); tb.Log(); ts.Fatal(); n.Add(1); n.Value()
}`)
	calls := called(info)
	want := map[Class]string{
		Pure: `Split Itoa Sprintf Errorf Is Equal PathEscape MustCompile e.Error re.MatchString
			now.Add now.MarshalJSON d.Seconds ctx.Done`,
		Unknown:  "Map AppendInt As Sort Remove re.Longest wg.Add",
		Drawn:    "Intn",
		ReadOnly: "Getenv ctx.Err n.Value",
		Clock:    "Now",
		Fresh:    "NewReader Parse Clone WithCancel",
		Quiet:    "Println lg.Info tb.Log n.Add",
		NoReturn: "Goexit Fatalf ts.Fatal",
		Panics:   "Panicln",
		Lock:     "mu.Lock", Unlock: "l.Unlock", RLock: "rw.RLock", RUnlock: "rw.RUnlock",
		TryLock: "mu.TryLock", TryRLock: "rw.TryRLock", Blocking: "wg.Wait",
	}
	for class, names := range want {
		for _, name := range strings.Fields(names) {
			require.Contains(t, calls, name)
			assert.Equal(t, class, Default().Classify(calls[name]), name)
		}
	}
}

func TestGuess(t *testing.T) {
	pkg, info := checkSource(t, `package src
type (
	Session interface {
		ID() string; IsOpen() bool; GetUser() string; GetOrCreate(string) string
		IssueToken() string; CompareAndSwap(a, b int) bool; Done(); Close()
		Clone() Session; NewCount() int; Equal(func() bool) bool
	}
	Logger interface { Debugf(string); Fatal(string); WithField(string) Logger; Enabled() bool; DebugCount() int }
	Counter interface { Inc(); Add(int) int }
)
var NewThing func() *int
func NewConn() *int { return nil }
func NewNumber() int { return 0 }
func f(s Session, l Logger, c Counter) {
	s.ID(); s.IsOpen(); s.GetUser(); s.GetOrCreate(""); s.IssueToken(); s.CompareAndSwap(1, 2); s.Done(); s.Close()
	s.Clone(); s.NewCount(); s.Equal(nil); l.Debugf(""); l.Fatal(""); l.WithField(""); l.Enabled(); l.DebugCount()
	c.Inc(); c.Add(1); NewConn(); NewNumber()
}`)
	require.NotNil(t, pkg)
	calls := called(info)
	for class, names := range map[Class]string{
		ReadOnly: "s.ID s.IsOpen s.GetUser",
		Unknown: `s.GetOrCreate s.IssueToken s.CompareAndSwap s.Done s.Close s.NewCount s.Equal
			l.Enabled l.DebugCount c.Add NewNumber`,
		Fresh:    "s.Clone NewConn",
		Quiet:    "l.Debugf l.WithField c.Inc",
		NoReturn: "l.Fatal",
	} {
		for _, name := range strings.Fields(names) {
			require.Contains(t, calls, name)
			assert.Equal(t, class, Default().Guess(calls[name]), name)
			assert.Equal(t, Unknown, Default().Classify(calls[name]), name)
		}
	}
}

// A longer package pattern decides before a shorter one, an exact path
// before both; in one package the more specific name decides.
func TestRulePrecedence(t *testing.T) {
	c, err := Parse("t.txt", strings.NewReader(`
package example.com/...
quiet * *.*
noreturn F*
package example.com/a/...
pure *
package example.com/a/b
fresh Foo
package .../b
blocking *
package ...
panics Fo*
`))
	require.NoError(t, err)
	classify := func(pkg, typ, name string) Class { return c.Classify(fakeFunc(pkg, typ, name, nil, nil)) }
	assert.Equal(t, Quiet, classify("example.com", "", "Bar"))
	assert.Equal(t, NoReturn, classify("example.com/x/y", "", "Foo"))
	assert.Equal(t, Pure, classify("example.com/a", "", "Foo"))
	assert.Equal(t, Fresh, classify("example.com/a/b", "", "Foo"))
	assert.Equal(t, Pure, classify("example.com/a/b", "", "Bar"))
	assert.Equal(t, Quiet, classify("example.com/a/b", "T", "Bar"))
	assert.Equal(t, Unknown, classify("example.community", "", "Foo"))

	guess := func(pkg, name string) Class { return c.Guess(fakeFunc(pkg, "", name, nil, nil)) }
	assert.Equal(t, Blocking, guess("x/b", "Foo"))
	assert.Equal(t, Blocking, guess("b", "Foo"))
	assert.Equal(t, Panics, guess("x/ab", "Foo"))
	assert.Equal(t, Unknown, guess("x/ab", "Bar"))
	assert.Equal(t, Unknown, guess("example.com", "Bar"))
}

func TestClassNames(t *testing.T) {
	for c := Unknown; c <= TryRLock; c++ {
		back, ok := parseClass(c.String())
		assert.True(t, ok)
		assert.Equal(t, c, back)
	}
	assert.Equal(t, "class(99)", Class(99).String())
}
