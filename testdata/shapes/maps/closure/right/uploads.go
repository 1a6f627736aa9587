// Package uploads tracks parts of large uploads.
package uploads

import "sync"

type upload struct {
	mu    sync.Mutex
	parts int
}

// Tracker has the uploads that are going on.
type Tracker struct{ uploads sync.Map }

func retry(f func() error) error {
	var err error
	for range 3 {
		if err = f(); err == nil {
			return nil
		}
	}
	return err
}

// Part notes that a part has arrived.
func (t *Tracker) Part(id string, check func(id string) error) error {
	v, ok := t.uploads.Load(id)
	if !ok {
		u := &upload{}
		if err := retry(func() error {
			if err := check(id); err != nil {
				return err
			}
			v, _ = t.uploads.LoadOrStore(id, u)
			return nil
		}); err != nil {
			return err
		}
	}
	u := v.(*upload)
	u.mu.Lock()
	u.parts++
	u.mu.Unlock()
	return nil
}
