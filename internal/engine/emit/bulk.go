package emit

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
)

// bulk is one JSON value with all files, for programs that run weft without touching the disk:
//
//	{"files": [{"name": "config.yml", "data": "a: 1\n"}], "errors": "..."}
type bulk struct {
	Files  []bulkFile `json:"files,omitempty"`
	Errors string     `json:"errors,omitempty"`
}

type bulkFile struct {
	Name string `json:"name"`
	Data string `json:"data"`
}

// ParseBulk reads the files of a run from JSON, in the order given.
func ParseBulk(data []byte) ([]File, error) {
	var b bulk
	dec := json.NewDecoder(bytes.NewReader(data))
	err := dec.Decode(&b)
	if err == nil {
		if _, e := dec.Token(); e != io.EOF {
			err = errors.New("more text follows the end of the value")
		}
	}
	if err != nil {
		return nil, diag.Errorf(source.Span{}, CodeBulk, "reading bulk input: %s", jsonReason(err)).
			WithHint(`expected {"files": [{"name": "config.yml", "data": "a: 1\n"}]}`)
	}
	files := make([]File, len(b.Files))
	for i, f := range b.Files {
		if f.Name == "" {
			return nil, diag.Errorf(
				source.Span{},
				CodeBulk,
				"reading bulk input: file %d has no name",
				i+1,
			)
		}
		files[i] = File{Path: f.Name, Data: []byte(f.Data)}
	}
	return files, nil
}

// CodeBulk is the code of invalid bulk input.
const CodeBulk diag.Code = "emit/bulk"

// jsonReason describes an error in JSON without naming Go's types.
func jsonReason(err error) string {
	if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		what := "the value"
		if e.Field != "" {
			what = "'" + e.Field + "'"
		}
		return what + " is of the wrong type: found " + e.Value
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return "the JSON ends too early"
	}
	return err.Error()
}

// Bulk writes files, or an error, as one JSON value without a line break. Empty members are left
// out.
func Bulk(w io.Writer, files []File, errors string) (int64, error) {
	b := bulk{Errors: errors}
	for _, f := range files {
		b.Files = append(b.Files, bulkFile{Name: f.Path, Data: string(f.Data)})
	}
	data, err := json.Marshal(b)
	if err != nil {
		return 0, err
	}
	n, err := w.Write(data)
	return int64(n), err
}
