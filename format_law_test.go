package weft_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"weft"
	"weft/internal/testing/cases"
)

// Files in weft's style render as before: the inputs of all goldens that succeed, with lists in each
// of the styles.
func TestFormatRendersTheSame(t *testing.T) {
	formatted := 0
	for _, path := range goldens(t) {
		if a := cases.Archive(t, path); part(a, yamlPart) == nil || showsLayout(part(a, flagsPart)) {
			continue
		}
		for _, style := range []weft.Sequences{
			weft.SequencesMajority, weft.SequencesFlush, weft.SequencesIndented,
		} {
			a := cases.Archive(t, path)
			some := false
			for i := range a.Files {
				f := &a.Files[i]
				switch filepath.Ext(f.Name) {
				case ".yml", ".yaml", ".star":
					out, err := weft.FormatText(f.Name, f.Data, weft.FormatOptions{Sequences: style})
					if err != nil || isWanted(f.Name) {
						continue // what cannot be read is left as it is
					}
					some = some || string(out) != string(f.Data)
					f.Data = out
				}
			}
			if !some {
				continue
			}
			formatted++
			t.Run(fmt.Sprint(filepath.ToSlash(path), " ", style), func(t *testing.T) {
				stdout, stderr, code := runGolden(t, a)
				if diff := cmp.Diff(string(stdout), string(part(a, yamlPart))); diff != "" || code != 0 {
					t.Errorf("exit code %d %s\nstandard output (-got +want):\n%s", code, stderr, diff)
				}
			})
		}
	}
	if formatted < 50 {
		t.Errorf("only %d goldens have files that formatting changes", formatted)
	}
}

// isWanted reports whether a part of a golden is not an input.
func isWanted(name string) bool { return name == yamlPart || strings.HasPrefix(name, outPrefix) }

// showsLayout reports whether flags make the output show how inputs are laid out.
func showsLayout(flags []byte) bool {
	for _, word := range []string{"pos", "--keep", "2026", "--debug"} {
		if strings.Contains(string(flags), word) {
			return true
		}
	}
	return false
}
