package browser

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the pictures in docs")

const root = "../../../../.."

// page is the path of the page that all tests open.
var page string

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "mapatom-browser-")
		if err != nil {
			panic(err)
		}
		defer os.RemoveAll(dir)
		page = filepath.Join(dir, "page.html")
		writePage(dir)
		return m.Run()
	}())
}

// writePage has mapatom write the page for the tour, with what ran.
func writePage(dir string) {
	mapatom, confirmed := filepath.Join(dir, "mapatom"), filepath.Join(dir, "confirmed.json")
	must("go", "build", "-o", mapatom, "./cmd/mapatom")
	out := must(mapatom, "confirm", "-json", "./testdata/tour")
	if err := os.WriteFile(confirmed, out, 0o644); err != nil {
		panic(err)
	}
	must(mapatom, "-format=line", "-html="+page, "-confirmed="+confirmed, "./testdata/tour")
}

// must runs a command in the root of the project. That there are findings is not
// an error.
func must(name string, args ...string) []byte {
	cmd := exec.Command(name, args...)
	cmd.Dir = root
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 3) {
		panic(name + ": " + err.Error() + "\n" + stderr.String())
	}
	return stdout.Bytes()
}

// tab is a tab of a browser, and what the page in it complained about or asked
// for.
type tab struct {
	context.Context
	t    *testing.T
	page string // its path
	mu   sync.Mutex
	// complaints are errors and messages of the console, and requested are the
	// addresses that were loaded.
	complaints, requested []string
}

// step is an action that gives nothing.
type step = chromedp.Action[chromedp.Void]

// open opens the page in a new browser, after some actions.
func open(t *testing.T, first ...step) *tab { return openPage(t, page, first...) }

func openPage(t *testing.T, page string, first ...step) *tab {
	path, err := chromium()
	require.NoError(t, err)
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox,
		chromedp.DisableGPU, chromedp.UserDataDir(t.TempDir()), chromedp.WindowSize(1100, 900),
		chromedp.Flag("disable-component-update", true))
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewExecAllocator(ctx, options...)
	t.Cleanup(cancel)
	tb := &tab{t: t, page: page}
	tb.Context, cancel = chromedp.NewContext(ctx, chromedp.WithListener(tb.listen))
	t.Cleanup(cancel)
	tb.do(first...)
	tb.do(chromedp.Navigate("file://"+page), chromedp.WaitReady(chromedp.CSS("main")))
	t.Cleanup(tb.silent)
	return tb
}

// chromium finds the browser.
func chromium() (string, error) {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New("there is no Chromium in PATH; on Debian, apt-get install chromium")
}

func (tb *tab) listen(event any) {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		tb.complaints = append(tb.complaints, e.ExceptionDetails.Text)
	case *runtime.EventConsoleAPICalled:
		tb.complaints = append(tb.complaints, "console."+string(e.Type))
	case *log.EventEntryAdded:
		tb.complaints = append(tb.complaints, e.Entry.Text)
	case *network.EventRequestWillBeSent:
		tb.requested = append(tb.requested, e.Request.URL)
	}
}

// silent checks that the page had nothing to complain about and loaded nothing
// but itself.
func (tb *tab) silent() {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	require.Empty(tb.t, tb.complaints)
	require.Equal(tb.t, []string{"file://" + tb.page}, tb.requested)
}

func (tb *tab) do(steps ...step) {
	tb.t.Helper()
	require.NoError(tb.t, chromedp.Do(tb, steps...))
}

// eval is the value of an expression of JavaScript.
func eval[T any](tb *tab, expression string) T {
	tb.t.Helper()
	value, err := chromedp.Run(tb, chromedp.Evaluate[T](expression))
	require.NoError(tb.t, err, expression)
	return value
}

// exec runs a statement of JavaScript.
func (tb *tab) exec(statement string) {
	tb.t.Helper()
	eval[bool](tb, "("+statement+", true)")
}

// click and send act on the element that a CSS selector finds.
func click(selector string) step      { return chromedp.Click(chromedp.CSS(selector)) }
func send(selector, text string) step { return chromedp.SendKeys(chromedp.CSS(selector), text) }

// press presses the key of a character as a keyboard does: a page that prevents
// what the key would do gets no character. chromedp.KeyEvent sends that all the same.
func press(key string) step {
	return chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		for _, event := range []input.DispatchKeyEventParams{
			{Type: input.DispatchKeyEventTypeKeyDown, Key: key, Text: key}, {Type: input.DispatchKeyEventTypeKeyUp, Key: key},
		} {
			if _, err := cdp.Call(ctx, target, input.DispatchKeyEvent, event); err != nil {
				return err
			}
		}
		return nil
	})
}
