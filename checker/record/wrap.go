package record

// Map are the methods that sync.Map has, and maps of its shape with types.
type Map[K, V any] interface {
	Load(key K) (value V, ok bool)
	Store(key K, value V)
	LoadOrStore(key K, value V) (actual V, loaded bool)
	LoadAndDelete(key K) (value V, loaded bool)
	Delete(key K)
}

// Wrap gives a map that records its operations and is otherwise the one that
// it is given:
//
//	m := record.Wrap[any, any](h, &sync.Map{})
func Wrap[K, V any](r *Recorder, m Map[K, V]) Map[K, V] { return recorded[K, V]{r, m} }

type recorded[K, V any] struct {
	recorder *Recorder
	m        Map[K, V]
}

func (r recorded[K, V]) Load(key K) (V, bool) {
	c := r.recorder.Begin("Load", key)
	v, ok := r.m.Load(key)
	c.End(v, ok)
	return v, ok
}

func (r recorded[K, V]) Store(key K, value V) {
	c := r.recorder.Begin("Store", key, value)
	r.m.Store(key, value)
	c.End()
}

func (r recorded[K, V]) LoadOrStore(key K, value V) (V, bool) {
	c := r.recorder.Begin("LoadOrStore", key, value)
	v, loaded := r.m.LoadOrStore(key, value)
	c.End(v, loaded)
	return v, loaded
}

func (r recorded[K, V]) LoadAndDelete(key K) (V, bool) {
	c := r.recorder.Begin("LoadAndDelete", key)
	v, loaded := r.m.LoadAndDelete(key)
	c.End(v, loaded)
	return v, loaded
}

func (r recorded[K, V]) Delete(key K) {
	c := r.recorder.Begin("Delete", key)
	r.m.Delete(key)
	c.End()
}
