package process

import (
	"io"
	"os"
)

// colorFlag is the value of --color. The zero value decides by where messages are written.
type colorFlag uint8

const (
	auto colorFlag = iota
	Always
	Never
)

// String implements pflag.Value.
func (c *colorFlag) String() string { return [...]string{"auto", "always", "never"}[*c] }

// Set implements pflag.Value.
func (c *colorFlag) Set(s string) error {
	return setWord(c, Never, s, "auto, always or never")
}

// Type implements pflag.Value.
func (c *colorFlag) Type() string { return "WHEN" }

// Enabled reports whether text for w is colored. NO_COLOR (no-color.org) and dumb terminals turn
// colors off, unless the flag asks for them.
func (c colorFlag) Enabled(w io.Writer) bool {
	if c != auto {
		return c == Always
	}
	return os.Getenv("NO_COLOR") == "" && isTerminal(w)
}
