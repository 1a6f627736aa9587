// Package builds has one build of each project at a time: the last one that was asked for.
package builds

import (
	"context"
	"net/http"
	"sync"
)

type build struct{ cancel context.CancelFunc }

// Builds are under way.
type Builds struct {
	active sync.Map
	run    func(context.Context, string) error
}

// Start runs a build, and ends the one before it.
func (b *Builds) Start(w http.ResponseWriter, r *http.Request) {
	project := r.PathValue("project")
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	mine := &build{cancel: cancel}
	if old, ok := b.active.Swap(project, mine); ok {
		old.(*build).cancel()
	}
	defer b.active.Delete(project)
	if err := b.run(ctx, project); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}

// Cancel ends the build of a project.
func (b *Builds) Cancel(w http.ResponseWriter, r *http.Request) {
	v, ok := b.active.Load(r.PathValue("project"))
	if !ok {
		http.NotFound(w, r)
		return
	}
	v.(*build).cancel()
}
