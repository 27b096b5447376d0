package workspace

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"weft/internal/serve/lsp/protocol"
)

// slowFiles are files of which one can be opened only after ready is closed.
type slowFiles struct {
	fstest.MapFS
	slow   string
	ready  chan struct{}
	opened atomic.Int32
}

func (f *slowFiles) Open(name string) (fs.File, error) {
	if name == f.slow {
		f.opened.Add(1)
		<-f.ready
	}
	return f.MapFS.Open(name)
}

func (f *slowFiles) ReadFile(name string) ([]byte, error) {
	file, err := f.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(file)
}

// A request does not wait longer than it may for the files of a large workspace, and does not interrupt those
// who read them.
func TestLoadGoesOn(t *testing.T) {
	t.Parallel()
	files := &slowFiles{slow: "config/slow.yml", ready: make(chan struct{}), MapFS: fstest.MapFS{
		"weft.yml":          {Data: []byte("weft: 2026\ninputs: [config]\n")},
		"config/schema.yml": {Data: []byte("#@data/values-schema\n---\na: 1\n")},
		"config/app.yml":    {Data: []byte("a: 1\n")},
		"config/slow.yml":   {Data: []byte("b: 1\n")},
	}}
	s := NewSession(Options{Encoding: protocol.UTF16, Trusted: true, Log: t.Logf})
	defer s.Close()
	f := newFolder(s, "/memory", &disk{root: io.NopCloser(nil), fsys: files, dirs: map[string][]fs.DirEntry{}})
	doc := f.Snapshot().Document("config/app.yml")
	for name, wait := range map[string]func(context.Context) error{
		"session": func(ctx context.Context) error {
			_, err := doc.View().Session(ctx, doc.snap)
			return err
		},
		"index": func(ctx context.Context) error {
			_, _, err := doc.Index(ctx, false)
			return err
		},
		"values": func(ctx context.Context) error {
			if doc.View().Values(ctx, doc.snap) != nil {
				t.Error("there are values before the files are read")
			}
			return context.Cause(ctx)
		},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		came := make(chan error, 1)
		go func() { came <- wait(ctx) }()
		select {
		case err := <-came:
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s: got %v", name, err)
			}
		case <-time.After(10 * time.Second):
			close(files.ready)
			t.Fatalf("%s: waits for the files", name)
		}
	}
	close(files.ready)
	if doc.View().Values(t.Context(), doc.snap) == nil {
		t.Error("there are no values")
	}
	if all, here, err := doc.Index(t.Context(), false); err != nil || len(all.Sources) != 4 || here == nil {
		t.Errorf("got %v, %v", all, err)
	}
	if n := files.opened.Load(); n != 1 {
		t.Errorf("the slow file was opened %d times", n)
	}
}
