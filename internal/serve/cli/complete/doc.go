// Package complete says what a shell may offer for the word that is being typed: flags and their
// values, environments, data values, documents and codes. It reads the inputs that the words so far
// name, for a limited time, and nothing else.
package complete
