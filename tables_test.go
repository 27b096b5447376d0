package weft_test

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"weft/internal/diag"
)

// Between these comments a page has a table that is made of what the program knows:
//
//	codes GROUP/ CODE ...     diagnostics with their severity: of whole groups, or single ones
//	causes GROUP/ CODE ...    the same without the severity
var docTable = regexp.MustCompile(`(?s)(<!-- table: ([^\n]*) -->\n\n)(.*?)(\n<!-- end of the table -->\n)`)

// TestTables holds the tables of the reference to those of the program. With -update they are rewritten.
func TestTables(t *testing.T) {
	documented := map[diag.Code]bool{} // in messages.md, which has all
	for _, page := range docPages(t) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		now := docTable.ReplaceAllFunc(text, func(block []byte) []byte {
			m := docTable.FindSubmatch(block)
			kind, args, _ := strings.Cut(string(m[2]), " ")
			var table string
			switch kind {
			case "codes", "causes":
				infos := codesOf(t, strings.Fields(args))
				table = codeTable(infos, kind == "codes")
				for _, info := range infos {
					documented[info.Code] = documented[info.Code] || page == "docs/reference/messages.md"
				}
			default:
				t.Errorf("%s: there is no table of %q", page, kind)
			}
			return slices.Concat(m[1], []byte(table), m[4])
		})
		if *update {
			if err := os.WriteFile(page, now, 0o644); err != nil {
				t.Fatal(err)
			}
		} else if diff := cmp.Diff(string(text), string(now)); diff != "" {
			t.Errorf("%s differs from the tables; go test . -run TestTables -update rewrites it (-page +tables):\n%s", page, diff)
		}
	}
	for _, info := range diag.Codes() {
		if !documented[info.Code] {
			t.Errorf("messages.md does not have %s", info.Code)
		}
	}
}

// codesOf are the codes of groups, as `overlay/`, and single ones, in the order of their names here.
func codesOf(t *testing.T, names []string) (infos []diag.Info) {
	for _, name := range names {
		n := len(infos)
		for _, info := range diag.Codes() {
			if string(info.Code) == name || strings.HasSuffix(name, "/") && strings.HasPrefix(string(info.Code), name) {
				infos = append(infos, info)
			}
		}
		if len(infos) == n {
			t.Errorf("there is no code %s", name)
		}
	}
	return infos
}

func codeTable(infos []diag.Info, severity bool) string {
	var b strings.Builder
	if severity {
		b.WriteString("| code | severity | cause | fix |\n|---|---|---|---|\n")
	} else {
		b.WriteString("| code | cause | fix |\n|---|---|---|\n")
	}
	for _, info := range infos {
		fmt.Fprintf(&b, "| `%s` |", info.Code)
		if severity {
			fmt.Fprintf(&b, " %s |", info.Severity)
		}
		fmt.Fprintf(&b, " %s | %s |\n", info.Title, info.Doc)
	}
	return b.String()
}
