// Package complete computes the completions of a shell for the word that is being typed: flags and
// their values, environments, data values, documents and codes. It reads only the inputs that the
// words so far name, for a limited time.
package complete
