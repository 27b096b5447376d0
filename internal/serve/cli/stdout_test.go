package cli

import (
	"bytes"
	"testing"
)

// Whoever begins to print too late prints nothing.
func TestStopped(t *testing.T) {
	var b bytes.Buffer
	out := &stdout{w: &b}
	if !out.begin() || out.stop() {
		t.Error("stopped while something was being written")
	}
	out.end()
	if !out.stop() {
		t.Error("not stopped, but nobody writes")
	}
	if n, err := out.Write([]byte("x")); n != 0 || err == nil || b.Len() > 0 || out.begin() {
		t.Errorf("wrote %q after the end", b.String())
	}
}
