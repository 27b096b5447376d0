package workspace

import (
	"context"
	"strings"
	"sync"

	"weft/internal/engine/compile"
	"weft/internal/lang/source"
	"weft/internal/serve/lsp/protocol"
	"weft/internal/serve/lsp/wire"
)

// buffer is one version of an open document, or a file that was read for a feature. It never changes,
// except that its analysis is computed once.
type buffer struct {
	uri     protocol.DocumentURI // in the form that the client uses
	path    string               // the path in the folder, with forward slashes
	version int
	file    *source.File

	language string // the language that the client named, or ""
	nested   bool   // the document belongs to another folder inside the one that has this buffer

	mu       sync.Mutex
	analysis *compile.Analysis // nil until it is needed
	kind     compile.Kind      // the kind that the analysis was computed with
	options  compile.Options   // the options that the analysis was computed with

	ctx       context.Context // ends with the next version
	supersede func()

	good *compile.Analysis // the analysis of the last version without errors before this one; may be nil
}

func newBuffer(uri protocol.DocumentURI, path string, version int, text []byte) (*buffer, error) {
	f, err := newText(path, text)
	if err != nil {
		return nil, err
	}
	b := &buffer{uri: uri, path: path, version: version, file: f}
	ctx, cancel := context.WithCancelCause(context.Background())
	b.ctx, b.supersede = ctx, func() { cancel(wire.ErrModified) }
	return b, nil
}

// newText returns a text as a file of its own source.Set.
func newText(name string, text []byte) (*source.File, error) {
	var set source.Set
	return set.Add(name, text)
}

func (b *buffer) isForeign() bool {
	return b.language != "" && !strings.HasPrefix(b.language, "weft-")
}

// edited returns a text after some edits.
func edited(
	f *source.File, changes []protocol.ContentChange, encoding protocol.PositionEncoding,
) (*source.File, error) {
	for _, c := range changes {
		text := []byte(c.Text)
		if c.Range != nil {
			start, end := protocol.Mapper{File: f, Encoding: encoding}.Offsets(*c.Range)
			old := f.Data()
			text = make([]byte, 0, len(old)-(end-start)+len(c.Text))
			text = append(append(append(text, old[:start]...), c.Text...), old[end:]...)
		}
		var err error
		if f, err = newText(f.Name(), text); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// lastGood returns the analysis of this version if it has no errors, or else that of an earlier one. A text
// that was read as any text does not count, since nothing was looked for. It may be nil.
func (b *buffer) lastGood() *compile.Analysis {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.analysis != nil && b.kind != compile.PlainText && len(b.analysis.Errors) == 0 {
		return b.analysis
	}
	return b.good
}

func (b *buffer) analyse(kind compile.Kind, opt compile.Options) *compile.Analysis {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.analysis == nil || b.kind != kind || b.options != opt {
		b.analysis, b.kind, b.options = Analyse(b.file, kind, opt), kind, opt
	}
	return b.analysis
}
