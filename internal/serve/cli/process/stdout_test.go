package process

import (
	"bytes"
	"testing"
)

// Whoever begins to print too late prints nothing.
func TestStopped(t *testing.T) {
	var b bytes.Buffer
	out := &Stdout{w: &b}
	if !out.Begin() || out.stop() {
		t.Error("stopped while something was being written")
	}
	out.End()
	if !out.stop() {
		t.Error("not stopped, but nobody writes")
	}
	if n, err := out.Write([]byte("x")); n != 0 || err == nil || b.Len() > 0 || out.Begin() {
		t.Errorf("wrote %q after the end", b.String())
	}
}
