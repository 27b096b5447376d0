package schemas

import (
	"bytes"
	"strings"

	"weft/internal/lang/diag"
)

// The lines between which a table is kept current in a file.
const (
	RegionBegin = "<!-- weft schema -->"
	RegionEnd   = "<!-- end of weft schema -->"
)

// Replace returns a file with a text between the two marks. All other bytes stay, and so does the kind of
// line breaks.
func Replace(file File, text string) ([]byte, error) {
	begin := bytes.Index(file.Data, []byte(RegionBegin))
	if begin < 0 {
		return nil, diag.Failf(CodeExport, "%s has no place for the table", file.Name).
			WithHint("put these two lines where it belongs: %s and %s", RegionBegin, RegionEnd)
	}
	from := begin + len(RegionBegin)
	length := bytes.Index(file.Data[from:], []byte(RegionEnd))
	if length < 0 {
		return nil, diag.Failf(CodeExport, "%s has %s, but not the line that ends the table", file.Name,
			RegionBegin).WithHint("put %s below it", RegionEnd)
	}
	if again := bytes.Index(file.Data[from:], []byte(RegionBegin)); again >= 0 {
		return nil, diag.Failf(CodeExport, "%s has %s twice", file.Name, RegionBegin).
			WithHint("remove one of them")
	}
	text = "\n\n" + strings.TrimSpace(text) + "\n\n"
	if bytes.Contains(file.Data, []byte("\r\n")) {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return bytes.Join([][]byte{file.Data[:from], []byte(text), file.Data[from+length:]}, nil), nil
}

// CodeExport is the code of errors about where a schema is written.
const CodeExport diag.Code = "schema/export"
