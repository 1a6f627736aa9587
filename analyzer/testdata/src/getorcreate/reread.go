package getorcreate

import "sync"

// Kept has no way to remove or replace an entry: once there is one, every look
// finds it.
type Kept struct{ m sync.Map }

func (r *Kept) CheckInsertRead(id string) *session {
	if _, ok := r.m.Load(id); !ok {
		r.m.LoadOrStore(id, newSession(id))
	}
	v, _ := r.m.Load(id)
	return v.(*session)
}

func (r *Kept) InsertRead(id string) *session {
	r.m.LoadOrStore(id, newSession(id))
	v, _ := r.m.Load(id)
	return v.(*session)
}

func (r *Kept) ReadAfterLoss(id string) *session {
	v, ok := r.m.Load(id)
	if !ok {
		var loaded bool
		v = newSession(id)
		if _, loaded = r.m.LoadOrStore(id, v); loaded {
			v, _ = r.m.Load(id)
		}
	}
	return v.(*session)
}

// Dropped is the same with a way to remove one.
type Dropped struct{ m sync.Map }

func (r *Dropped) Drop(id string) { r.m.Delete(id) }

func (r *Dropped) CheckInsertRead(id string) *session {
	if _, ok := r.m.Load(id); !ok {
		r.m.LoadOrStore(id, newSession(id))
	}
	v, _ := r.m.Load(id) // want "crash"
	return v.(*session)
}

func (r *Dropped) InsertRead(id string) *session {
	r.m.LoadOrStore(id, newSession(id))
	v, _ := r.m.Load(id) // want "crash"
	return v.(*session)
}

func (r *Dropped) ReadAfterLoss(id string) *session {
	v, ok := r.m.Load(id)
	if !ok {
		var loaded bool
		v = newSession(id)
		if _, loaded = r.m.LoadOrStore(id, v); loaded {
			v, _ = r.m.Load(id) // want "crash"
		}
	}
	return v.(*session)
}

// Replaced writes its argument and then returns what it reads back: that may be
// the argument of another call.
type Replaced struct{ m sync.Map }

func (r *Replaced) Put(id string, s *session) any {
	r.m.Store(id, s)
	v, _ := r.m.Load(id) // want "inconsistent-read"
	return v
}

// Returned gives back what it stored, without a second look.
type Returned struct{ m sync.Map }

func (r *Returned) Put(id string, s *session) *session {
	r.m.Store(id, s)
	return s
}
