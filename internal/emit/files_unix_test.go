//go:build linux || darwin

package emit

import (
	"context"
	"strings"
	"testing"
	"time"
)

// A run does not wait for ever for another one, and stops when it is told to.
func TestLock(t *testing.T) {
	dir := t.TempDir()
	first, err := openDir(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := openDirWithin(t.Context(), dir, 20*time.Millisecond); err == nil || !strings.Contains(err.Error(), "has locked the directory") {
		t.Errorf("got %v, want that it is locked", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := openDir(ctx, dir); err != context.DeadlineExceeded {
		t.Errorf("got %v, want the context's error", err)
	}
	first.close()
	second, err := openDir(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	second.close()
}
