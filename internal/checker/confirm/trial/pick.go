package trial

// Pick makes the i-th of several values.
func Pick[T any](i int, choices ...func() T) T { return choices[i]() }
