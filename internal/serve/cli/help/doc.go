// Package help prints documentation of commands: their help, man pages, topics, pages about codes,
// and suggestions for misspelled commands and flags. Everything is generated from the commands and
// their flags.
package help
