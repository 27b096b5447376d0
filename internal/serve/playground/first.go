//go:build first

package playground

import (
	"bytes"

	"weft"
)

// wantedLater is empty in the program that renders: see more.go.
var wantedLater []want

// otherFlags is empty, and there are no other commands: see other.go.
type otherFlags struct{}

func isOther(string) bool { return false }

func (*command) turnOnOther(string) bool { return false }

func (*command) setOther(string, string) bool { return false }

func (*command) otherPaths() []string { return nil }

func (*command) isAboutFiles() bool { return false }

func (*run) printOther(*bytes.Buffer, weft.Options) error { return nil }
