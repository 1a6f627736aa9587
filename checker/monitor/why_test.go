package monitor

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/checker/history"
)

// TestWhy has each sentence, of the core of a small history.
func TestWhy(t *testing.T) {
	for text, want := range map[string]string{
		"# queue\nenq 1 0 1\nenq 2 2 3\ndeq 2 4 5\ndeq 1 6 7":                      "2 left before 1, but 1 entered before 2",
		"# queue\nenq 1 0 1\nenq 2 2 3\ndeq 2 4 5":                                 "2 left while 1 was there, but 1 entered before 2",
		"# queue\nenq 1 0 1\nenq 2 2 3\npeek 2 4 5":                                "2 was found while 1 was there, but 1 entered before 2",
		"# queue\ndeq 3 0 1":                                                       "3 came out, but never went in",
		"# queue\nenq 3 0 1\ndeq 3 2 3\ndeq 3 2 3":                                 "3 left twice, but entered once",
		"# queue\ndeq 3 0 1\nenq 3 2 3":                                            "3 left before it entered",
		"# queue\nenq 1 0 1\ndeq -1 2 3\ndeq 1 4 5":                                "nothing was found, but 1 was there all that time",
		"# stack\npush 1 0 1\npush 2 2 3\npop 1 4 5\npop 2 6 7":                    "1 left before 2, but 2 entered after 1",
		"# priorityqueue\ninsert 1 0 1\ninsert 2 2 3\npoll 1 4 5":                  "1 left while 2 was there, but 2 comes first",
		"# set\ncontains_true a 0 1":                                               `"a" was there, but nobody put it in`,
		"# set\ninsert a 0 1\nremove a 2 3\nremove a 4 5":                          `"a" was taken out more often than it was put in`,
		"# set\nremove a 0 1\ninsert a 2 3":                                        `"a" was there before it was put in`,
		"# register\nwrite 1 0 1\nwrite 2 2 3\nread 1 4 5":                         "1 was found after it had been overwritten with 2",
		"# register\nread 1 4 5":                                                   "1 was found, but not written",
		"# register\nread 1 4 5\nwrite 1 6 7":                                      "1 was found before it was written",
		"# register\nwrite 2 2 3\nread nil 4 5":                                    "nothing was found after it had been overwritten with 2",
		"# register\nwrite 1 0 9\nwrite 2 0 9\nread 1 1 2\nread 2 3 4\nread 1 5 6": "1 was there before 2 was, and 2 before 1, but each was written once",
		"# map\nstore k 2 2 3\nload k nil 4 5":                                     `of key "k", nothing was found after it had been overwritten with 2`,
		"# map\nload_or_store k 1 nil 0 1\nload_or_store k 2 nil 2 3":              `of key "k", nothing was found after it had been overwritten with 1`,
	} {
		logs, err := history.ReadIntervals("test", []byte(text), history.Options{})
		require.NoError(t, err, text)
		r, err := Check(t.Context(), logs[0], Options{})
		require.NoError(t, err)
		require.NotEmpty(t, r.Core, text)
		require.Equal(t, want, Why(logs[0].Select(r.Core)), text)
	}
}

// TestWhyOfRandom gives the cores of random histories a sentence, most of them.
func TestWhyOfRandom(t *testing.T) {
	for _, mix := range mixes {
		said, cores := 0, 0
		for n := range 1000 {
			l := mix.Log(rand.New(rand.NewPCG(3, uint64(n))))
			r, err := Check(t.Context(), l, Options{Workers: 1})
			require.NoError(t, err)
			if len(r.Core) == 0 {
				continue
			}
			cores++
			if Why(l.Select(r.Core)) != "" {
				said++
			}
		}
		t.Logf("%s: %d of %d", mix.Name, said, cores)
		require.Greater(t, 3*said, cores, mix.Name)
	}
}
