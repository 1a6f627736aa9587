// Package house holds nothing but a test: that the parts of the module are where
// CONTRIBUTING.md says. Imports point one way; what runs inside the user's programs
// takes nothing but the standard library; the files of a package can be read one after
// the other, without one large circle; what others may import
// is little; and each package says what it is for.
package house
