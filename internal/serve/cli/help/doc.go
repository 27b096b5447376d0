// Package help lays out what there is to read about commands: their help, man pages, topics, pages
// about codes, and what a misspelled command or flag may have meant. Everything is made from the
// commands and their flags.
package help
