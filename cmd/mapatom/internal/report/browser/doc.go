// Package browser tests the page of -html in Chromium: what `mapatom -html` writes
// for the tour, with what `mapatom confirm` shows of it, is opened, filtered,
// expanded, read on a phone and in the dark, and used by keyboard alone.
//
// It is a module of its own, so that nobody else downloads chromedp. It needs a
// Chromium; on Debian, `apt-get install chromium`.
package browser
