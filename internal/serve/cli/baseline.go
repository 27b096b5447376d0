package cli

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"

	"weft"
	"weft/internal/engine/outdir"
)

// errNoBaseline says that there is no file of known findings yet.
var errNoBaseline = errors.New("there is no baseline")

// readBaseline reads a file of known findings.
func readBaseline(name string) (weft.Baseline, error) {
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errNoBaseline
	}
	if err != nil {
		return nil, err
	}
	return weft.ParseBaseline(name, text)
}

// writeBaselineFile writes the findings that are known from now on. It gives their number.
func writeBaselineFile(ctx context.Context, name string, made *weft.LintReport) (int, error) {
	var out bytes.Buffer
	n, err := made.WriteBaseline(&out)
	if err != nil {
		return 0, err
	}
	return n, outdir.CreateFile(ctx, name, out.Bytes())
}
