package sim

// Plain is a built-in map as a cell. What guards it, which may be nil, makes the steps: nobody
// looks at the map while that is held.
func Plain[V any](m *map[string]V, guard interface{ SimHeld() bool }) MapCell {
	return plain[V]{m, guard}
}

type plain[V any] struct {
	m     *map[string]V
	guard interface{ SimHeld() bool }
}

// SimHeld reports whether a lock keeps others away.
func (p plain[V]) SimHeld() bool { return p.guard != nil && p.guard.SimHeld() }

func (p plain[V]) SimGet(key any) (any, bool) {
	v, ok := (*p.m)[key.(string)]
	if !ok {
		return nil, false
	}
	return v, true
}

func (p plain[V]) SimPut(key, value any) { (*p.m)[key.(string)] = As[V](value) }
func (p plain[V]) SimDrop(key any)       { delete(*p.m, key.(string)) }

func (p plain[V]) SimKeys() (keys []any) {
	for k := range *p.m {
		keys = append(keys, k)
	}
	return keys
}

func (p plain[V]) simPlain() (values []any) {
	for _, v := range *p.m {
		values = append(values, v)
	}
	return values
}
