// Package ownership answers questions about the memory of one package: whose is it, is
// it fresh, who else can have it, which way leads to it, does it leave the package.
//
// A root (roots.go) is the identity of a map across functions. From it follow
//
//   - who can reach the map: FindOpen, for values in SSA form;
//   - which pointers are the only ones to what they point to, so that the way through
//     them names one owner, and its lock: SetOwned, Lineage;
//   - which goroutine alone gets to an object: FindSolo for certain, Confinement by
//     what is likely.
package ownership
