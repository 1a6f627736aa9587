package browser

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Expressions of JavaScript.
const (
	all      = `document.querySelectorAll(".finding").length`
	shown    = `[...document.querySelectorAll(".finding")].filter(f => f.checkVisibility()).length`
	expanded = `document.querySelectorAll(".finding > details[open]").length`
	packages = `[...document.querySelectorAll(".package")].filter(f => f.checkVisibility()).length`
	said     = `document.querySelector(".shown").textContent`
	// focused is the position that the focused finding points to.
	focused = `document.activeElement.closest(".finding")?.querySelector(".where").textContent ?? document.activeElement.id`
)

// TestOpen: all findings are there, closed; each has its source with the
// operations marked, the picture, what to do, and what the real code did.
func TestOpen(t *testing.T) {
	tb := open(t)
	n := eval[int](tb, all)
	assert.Greater(t, n, 10)
	assert.Equal(t, n, eval[int](tb, shown))
	assert.Zero(t, eval[int](tb, expanded))
	assert.Contains(t, eval[string](tb, `document.title`), "findings")

	tb.do(click("#expand"))
	assert.Equal(t, n, eval[int](tb, expanded))
	for _, part := range []string{`.source mark.breaking`, `.lanes .step.breaking`, `.lanes .step .from code`, `.lanes .orders li`} {
		assert.Equal(t, n, eval[int](tb, `[...document.querySelectorAll(".finding")].filter(f => f.querySelector("`+part+`")?.checkVisibility()).length`), part)
	}
	text := eval[string](tb, `document.body.innerText`)
	assert.Equal(t, n, strings.Count(text, "How it goes wrong"))
	assert.Equal(t, n, strings.Count(text, "What to do"))
	assert.Positive(t, strings.Count(text, "Run on the real code: confirmed"))
	tb.do(click("#collapse"))
	assert.Zero(t, eval[int](tb, expanded))
}

// TestFilter: by words, by category, by both, and not at all again.
func TestFilter(t *testing.T) {
	tb := open(t)
	n := eval[int](tb, all)
	tb.do(send("#text", "registry.go LOAD"))
	some := eval[int](tb, shown)
	assert.Greater(t, some, 0)
	assert.Less(t, some, n)
	assert.Contains(t, eval[string](tb, said), " shown")

	tb.do(send("#text", " no such word"))
	assert.Zero(t, eval[int](tb, shown))
	assert.Zero(t, eval[int](tb, packages), "a package without findings is not shown")
	assert.Contains(t, eval[string](tb, said), "0 of ")

	tb.do(send("#text", kb.Escape))
	assert.Equal(t, n, eval[int](tb, shown))
	assert.Empty(t, eval[string](tb, said))

	tb.do(send("#category", "stale-delete"))
	some = eval[int](tb, shown)
	assert.Positive(t, some)
	assert.Equal(t, some, eval[int](tb, `document.querySelectorAll("[data-category=stale-delete]").length`))
	tb.do(click("#expand"))
	assert.Equal(t, some, eval[int](tb, expanded), "what is not shown is not opened")
}

// TestKeyboard: everything can be reached and done without a pointer.
func TestKeyboard(t *testing.T) {
	tb := open(t)
	var stops []string
	for range 5 {
		tb.do(chromedp.KeyEvent(kb.Tab))
		stops = append(stops, eval[string](tb, focused))
	}
	assert.Equal(t, []string{"text", "category", "expand", "collapse"}, stops[:4])
	first := stops[4]
	assert.Contains(t, first, ".go:")

	tb.do(press("j"))
	second := eval[string](tb, focused)
	assert.NotEqual(t, first, second)
	tb.do(press("k"))
	assert.Equal(t, first, eval[string](tb, focused))
	tb.do(chromedp.KeyEvent(kb.Enter))
	assert.Equal(t, 1, eval[int](tb, expanded))
	assert.NotEqual(t, "none", eval[string](tb, `getComputedStyle(document.activeElement).outlineStyle`), "the focus can be seen")

	// Tab goes through the source and the two buttons to the steps, and arrows go through
	// those.
	for range 4 {
		tb.do(chromedp.KeyEvent(kb.Tab))
	}
	const step = `document.activeElement.closest(".lanes .step")?.getAttribute("aria-label") ?? ""`
	const told = `document.activeElement.closest("section").querySelector(".at").textContent`
	const later = `[...document.activeElement.closest(".track").querySelectorAll(".step")].filter(s => !s.checkVisibility({ visibilityProperty: true })).length`
	call := eval[string](tb, step)
	require.NotEmpty(t, call)
	assert.Contains(t, call, "your call, Load")
	assert.Contains(t, call, ".go:", "where it is")
	assert.Zero(t, eval[int](tb, later), "until the first key all of it is shown")
	tb.do(chromedp.KeyEvent(kb.ArrowDown))
	next := eval[string](tb, step)
	assert.Contains(t, next, "the other goroutine, ")
	assert.Contains(t, eval[string](tb, told), "2 of ")
	assert.Contains(t, eval[string](tb, told), next)
	assert.Positive(t, eval[int](tb, later))
	tb.do(chromedp.KeyEvent(kb.End))
	assert.Zero(t, eval[int](tb, later))
	tb.do(chromedp.KeyEvent(kb.ArrowRight))
	assert.Zero(t, eval[int](tb, later), "there is nothing after the end")
	tb.do(chromedp.KeyEvent(kb.Home))
	assert.Equal(t, call, eval[string](tb, step))
	assert.Contains(t, eval[string](tb, told), "1 of ")

	// The buttons do the same for a pointer.
	tb.do(click(".finding > details[open] .stepper .on"))
	assert.Contains(t, eval[string](tb, `document.querySelector(".finding > details[open] .at").textContent`), "2 of ")

	tb.do(press("/"), press("j"))
	assert.Equal(t, "j", eval[string](tb, `document.querySelector("#text").value`), "in the filter, keys are text")
}

// TestAddress: the address of a finding opens it, where the controls do not cover it.
func TestAddress(t *testing.T) {
	tb := open(t)
	tb.exec(`location.hash = document.querySelectorAll(".finding")[8].id`)
	_, err := chromedp.Run(tb, chromedp.Poll[bool](expanded+` === 1`))
	require.NoError(t, err)
	assert.True(t, eval[bool](tb, `(() => {
		const top = document.querySelector(".finding > details[open]").getBoundingClientRect().top;
		return top >= document.querySelector(".controls").getBoundingClientRect().bottom - 1 && top < innerHeight;
	})()`))
}

// TestHistories: what ran is drawn, and can be gone through in the same way.
func TestHistories(t *testing.T) {
	tb := open(t)
	tb.do(click("#expand"))
	tb.exec(`document.querySelectorAll("details.steps").forEach(d => d.open = true)`)
	n := eval[int](tb, `document.querySelectorAll("details.steps .lanes .step").length`)
	assert.Greater(t, n, 10)
	assert.Positive(t, eval[int](tb, `document.querySelectorAll("svg .op").length`))
	tb.exec(`document.querySelector("details.steps .lanes .step").focus()`)
	tb.do(chromedp.KeyEvent(kb.ArrowDown))
	assert.Contains(t, eval[string](tb, `document.querySelector("details.steps .at").textContent`), "2 of ")
}

// TestLanes: the steps of the two goroutines are in columns side by side, one below the
// other in the order in which they happen, wide and narrow; each order has a reason.
func TestLanes(t *testing.T) {
	for _, width := range []int{1100, 360} {
		tb := open(t, chromedp.EmulateViewport(int64(width), 900))
		tb.do(click("#expand"))
		wrong := eval[[]string](tb, `[...document.querySelectorAll(".lanes > .track")].filter(track => {
			const heads = [...track.querySelectorAll(".head")].map(h => h.getBoundingClientRect());
			const steps = [...track.querySelectorAll(".step")].map(s => s.getBoundingClientRect());
			return heads.length < 2 || heads[0].right > heads[1].left + 1 ||
				steps.some((s, i) => i && s.top < steps[i - 1].bottom - 1) ||
				!steps.every(s => heads.some(h => s.left >= h.left - 1 && s.right <= h.right + 1));
		}).map(t => t.textContent.slice(0, 80))`)
		assert.Empty(t, wrong, "%d pixels", width)
		assert.Equal(t, eval[int](tb, `document.querySelectorAll(".lanes figure").length`), eval[int](tb, `document.querySelectorAll(".lanes figure .why").length`))
	}
}

// TestMany: with five hundred findings the page opens, filters and steps.
func TestMany(t *testing.T) {
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	articles := regexp.MustCompile(`(?s)<article .*?</article>\n`).FindAllString(string(text), -1)
	require.NotEmpty(t, articles)
	var more strings.Builder
	for i := len(articles); i < 500; i++ {
		more.WriteString(strings.ReplaceAll(articles[i%len(articles)], ` id="`, ` id="more`+strconv.Itoa(i)+`-`))
	}
	last := articles[len(articles)-1]
	many := filepath.Join(t.TempDir(), "many.html")
	require.NoError(t, os.WriteFile(many, []byte(strings.Replace(string(text), last, last+more.String(), 1)), 0o644))

	tb := openPage(t, many)
	assert.Equal(t, 500, eval[int](tb, all))
	tb.do(send("#text", "registry.go"))
	some := eval[int](tb, shown)
	assert.Positive(t, some)
	assert.Less(t, some, 500)
	tb.do(send("#text", kb.Escape), click("#expand"))
	assert.Equal(t, 500, eval[int](tb, expanded))
	tb.exec(`[...document.querySelectorAll(".lanes")].filter(l => l.checkVisibility()).at(-1).querySelector(".step").focus()`)
	tb.do(chromedp.KeyEvent(kb.ArrowDown))
	assert.Contains(t, eval[string](tb, `document.activeElement.closest("section").querySelector(".at").textContent`), "2 of ")
}

// TestPhone: on a narrow screen nothing but source and pictures is wider than it,
// and those scroll by themselves.
func TestPhone(t *testing.T) {
	tb := open(t, chromedp.EmulateViewport(360, 740, chromedp.EmulateMobile, chromedp.EmulateTouch))
	tb.do(click("#expand"))
	assert.LessOrEqual(t, eval[int](tb, `document.documentElement.scrollWidth`), 360)
	wide := eval[[]string](tb, `[...document.querySelectorAll("body *")].filter(e => e.checkVisibility() &&
		e.getBoundingClientRect().right > innerWidth + 1 && !e.closest(".source, .scroll, .table, .names, pre.history, .track")).map(e => e.outerHTML.slice(0, 80))`)
	assert.Empty(t, wide)
	low := eval[[]string](tb, `[...document.querySelectorAll("input, select, button, .finding > details > summary")].filter(e =>
		e.getBoundingClientRect().height < 24).map(e => e.outerHTML.slice(0, 80))`)
	assert.Empty(t, low, "too small for a finger")
}

// TestContrast: text stands out against what is behind it as WCAG 2 asks for at
// level AA, in light and dark.
func TestContrast(t *testing.T) {
	for _, scheme := range []string{"light", "dark"} {
		tb := open(t, prefers(scheme))
		tb.do(click("#expand"))
		grounds := eval[[]float64](tb, `getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number)`)
		assert.Equal(t, scheme == "dark", luminance(grounds) < 0.5, scheme)
		pairs := eval[[]pair](tb, textColors)
		assert.Greater(t, len(pairs), 5)
		for _, p := range pairs {
			assert.GreaterOrEqual(t, contrast(p.Text, p.Ground), 4.5, "%s: %s", scheme, p.Where)
		}
	}
}

// prefers has the page take the reader to prefer light or dark.
func prefers(scheme string) step {
	return chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		feature := &emulation.MediaFeature{Name: "prefers-color-scheme", Value: scheme}
		_, err := cdp.Call(ctx, target, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{feature}})
		return err
	})
}

// pair is the colour of a text and what is behind it, in red, green and blue.
type pair struct {
	Text, Ground []float64
	Where        string
}

// textColors has each pair that occurs once.
const textColors = `(() => {
	const rgb = color => color.match(/[\d.]+/g).map(Number);
	const ground = e => {
		for (; e; e = e.parentElement) {
			const bar = e.matches("svg .op") && e.querySelector(".bar");
			const c = rgb(bar ? getComputedStyle(bar).fill : getComputedStyle(e).backgroundColor);
			if (c.length < 4 || c[3] > 0) return c.slice(0, 3);
		}
	};
	const pairs = new Map();
	for (const e of document.querySelectorAll("body *")) {
		if (!e.checkVisibility({ visibilityProperty: true }) || ![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())) continue;
		const style = getComputedStyle(e);
		const pair = { text: rgb(e.closest("svg") ? style.fill : style.color).slice(0, 3), ground: ground(e), where: e.outerHTML.slice(0, 80) };
		pairs.set(JSON.stringify([pair.text, pair.ground]), pair);
	}
	return [...pairs.values()];
})()`

// contrast is the contrast ratio of WCAG 2.
func contrast(x, y []float64) float64 {
	a, b := luminance(x), luminance(y)
	return (max(a, b) + 0.05) / (min(a, b) + 0.05)
}

// luminance is the relative luminance of WCAG 2.
func luminance(rgb []float64) float64 {
	linear := func(c float64) float64 {
		if c /= 255; c <= 0.04045 {
			return c / 12.92
		}
		return math.Pow((c+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(rgb[0]) + 0.7152*linear(rgb[1]) + 0.0722*linear(rgb[2])
}

// TestScreenshot: the page can be drawn, and the picture in it; with -update, these
// are the pictures in docs.
func TestScreenshot(t *testing.T) {
	tb := open(t, chromedp.EmulateViewport(1000, 1180))
	tb.do(send("#text", "registry.go"))
	tb.exec(`document.querySelector(".finding:not([hidden]) > details").open = true, document.activeElement.blur(), scrollTo(0, 0)`)
	for name, draw := range map[string]chromedp.Action[[]byte]{
		"report.png":       chromedp.CaptureScreenshot(),
		"interleaving.png": chromedp.Screenshot(chromedp.CSS(".finding:not([hidden]) .lanes")),
	} {
		png, err := chromedp.Run(tb, draw)
		require.NoError(t, err)
		assert.Greater(t, len(png), 5_000, name)
		if *update {
			require.NoError(t, os.WriteFile(filepath.Join(root, "docs", name), png, 0o644))
		}
	}
}
