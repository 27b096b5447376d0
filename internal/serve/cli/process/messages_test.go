package process

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"weft"
)

func TestReport(t *testing.T) {
	_, err := weft.Render(
		t.Context(),
		weft.Options{Files: []weft.File{{Path: "a.yml", Data: []byte("a: *b\n")}}},
	)
	var b strings.Builder
	(&Messages{Out: &b}).Report(fmt.Errorf("wrapped: %w", err))
	if got, want := b.String(), "a.yml:1:4: error: unknown anchor 'b' referenced [yaml/anchor]\n  |\n1 | a: *b\n  |    ^^\nhint: "; !strings.HasPrefix(
		got,
		want,
	) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestColor(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "file"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	device, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip("no terminal to be had:", err)
	}
	defer device.Close()
	tests := []struct {
		name          string
		flag          colorFlag
		to            io.Writer
		noColor, term string
		want          bool
	}{
		{"terminal", auto, device, "", "xterm", true},
		{"file", auto, file, "", "xterm", false},
		{"device that nobody watches", auto, null, "", "xterm", false},
		{"not a file", auto, io.Discard, "", "xterm", false},
		{"NO_COLOR", auto, device, "1", "xterm", false},
		{"dumb terminal", auto, device, "", "dumb", false},
		{"always", Always, file, "1", "dumb", true},
		{"never", Never, device, "", "xterm", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv("NO_COLOR", tt.noColor)
			t.Setenv("TERM", tt.term)
			if got := tt.flag.Enabled(tt.to); got != tt.want {
				t.Errorf("got %t, want %t", got, tt.want)
			}
		})
	}
}
