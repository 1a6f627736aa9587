// Package keys makes the keys of objects in a cluster.
package keys

// Of is the key of an object.
func Of(namespace, name string) string {
	if namespace == "" {
		return name
	}
	return namespace + "/" + name
}
