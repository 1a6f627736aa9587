// Package passtest makes passes over packages that a test writes down, one after the
// other, with the Facts of those before.
package passtest
