// Package shop has the name of another package that the golden packages
// import.
package shop

// ID is a string of its own.
type ID string
