// Package models has concurrent objects from the literature as models for
// internal/checker/explore, the faulty ones as published and their corrections.
package models

import (
	"fmt"

	"github.com/mapatom/mapatom/internal/checker/explore"
)

// An Entry is a model and the bounds at which it is explored if nothing else
// is said: for a faulty one, bounds at which its fault shows.
type Entry struct {
	Name   string
	About  string // what it is and where it was published
	Bounds explore.Bounds
	Faulty bool
	Points bool // the model says where its operations take effect
	New    func(explore.Bounds) *explore.Model
}

// All are the models in the order in which they are listed.
func All() []Entry {
	return []Entry{
		{"counter", "counter whose second operation changes it (Doolan et al. 2017, figures 7 to 9)",
			explore.Bounds{Threads: 1, Operations: 2}, true, false, counter},
		{"treiber-aba", "stack whose nodes are freed and allocated again (Treiber 1986, without counted pointers)",
			explore.Bounds{Threads: 2, Operations: 4}, true, true, treiberABA},
		{"treiber", "stack with a collector (Treiber 1986)",
			explore.Bounds{Threads: 2, Operations: 3}, false, true, treiber},
		{"shann-queue", "queue in an array, as published (Shann, Huang and Chen 2000)",
			explore.Bounds{Threads: 2, Operations: 2}, true, false, shann},
		{"shann-queue-fixed", "the same, looking for an empty or full queue before the slot is read",
			explore.Bounds{Threads: 2, Operations: 3}, false, false, shannFixed},
		{"snark-1", "deque as published (Detlefs et al. 2000)",
			explore.Bounds{Threads: 2, Operations: 2}, true, false, snark1},
		{"snark-2", "the same, with only the first of its two faults corrected (Doherty et al. 2004, section 3)",
			explore.Bounds{Threads: 3, Operations: 2}, true, false, snark2},
		{"snark-fixed", "the same, with both corrected",
			explore.Bounds{Threads: 2, Operations: 3}, false, false, snarkFixed},
		{"ms-queue", "queue as a linked list, with a collector (Michael and Scott 1996)",
			explore.Bounds{Threads: 2, Operations: 3}, false, true, msQueue},
		{"list-set", "set as a sorted list, with changes in short atomic sections (Vechev, Yahav and Yorsh 2009)",
			explore.Bounds{Threads: 2, Operations: 3}, false, false, listSet},
		{"list-set-unmarked", "the same without marks on removed nodes",
			explore.Bounds{Threads: 2, Operations: 2}, true, false, listSetUnmarked},
	}
}

// Find is the entry with the name.
func Find(name string) (Entry, error) {
	for _, e := range All() {
		if e.Name == name {
			return e, nil
		}
	}
	return Entry{}, fmt.Errorf("there is no model %q; -list has them", name)
}
