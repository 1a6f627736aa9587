package skipped

import (
	"sync"
	"testing"
)

var tested sync.Map

func put(id string, s *session) { tested.Store(id, s) }

func TestEnsure(t *testing.T) {
	put("other", &session{})
	if _, ok := tested.Load("one"); !ok {
		tested.Store("one", &session{})
	}
}

func BenchmarkEnsure(b *testing.B) {
	for b.Loop() {
		if _, ok := tested.Load("one"); !ok {
			tested.Store("one", &session{})
		}
	}
}

func FuzzEnsure(f *testing.F) {
	f.Fuzz(func(t *testing.T, id string) {
		if _, ok := tested.Load(id); !ok {
			tested.Store(id, &session{})
		}
	})
}

func ExampleReported_Ensure() {
	if _, ok := tested.Load("one"); !ok {
		tested.Store("one", &session{})
	}
}

func TestSubtest(t *testing.T) {
	t.Run("literal", func(t *testing.T) {
		if _, ok := tested.Load("two"); !ok {
			tested.Store("two", &session{})
		}
	})
}
