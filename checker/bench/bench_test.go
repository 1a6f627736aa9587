package main

import "testing"

// BenchmarkCase has, of every case that Porcupine finishes, the times of all
// checkers side by side.
func BenchmarkCase(b *testing.B) {
	for _, c := range cases {
		if c.hopeless {
			continue
		}
		histories, err := c.histories()
		if err != nil {
			b.Fatal(err)
		}
		for _, by := range []struct {
			name  string
			check func() string
		}{
			{"porcupine", func() string { return checkTheirs(c, histories) }},
			{"model", func() string { return checkModel(c, histories, false) }},
			{"hints", func() string { return checkModel(c, histories, true) }},
			{"log", func() string { return checkLogs(c, histories) }},
		} {
			b.Run(c.name+"/by="+by.name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					by.check()
				}
			})
		}
	}
}
