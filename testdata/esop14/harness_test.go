package esop14

// configured returns skeletons of which one can be made: the zero value has
// no services, and then N21 does nothing.
//
//mapatom:harness
func configured() *Skeletons {
	return &Skeletons{services: map[string]string{"a": "aService", "b": "bService"}}
}
