package process

import (
	"io"
	"os"
)

// colorFlag says whether messages are coloured. The zero value decides by where they go.
type colorFlag uint8

const (
	auto colorFlag = iota
	Always
	Never
)

// String returns the flag's value; with Set and Type it makes the flag.
func (c *colorFlag) String() string { return [...]string{"auto", "always", "never"}[*c] }

// Set takes the flag's value.
func (c *colorFlag) Set(s string) error {
	return setWord(c, Never, s, "auto, always or never")
}

// Type returns what help calls the flag's value.
func (c *colorFlag) Type() string { return "WHEN" }

// Enabled reports whether text for w is coloured. NO_COLOR (no-color.org) and a dumb terminal hold
// unless the flag asks for colour.
func (c colorFlag) Enabled(w io.Writer) bool {
	if c != auto {
		return c == Always
	}
	return os.Getenv("NO_COLOR") == "" && isTerminal(w)
}
