package kustomization_test

import (
	"errors"
	"io"
	"io/fs"
	"path"
	"testing"

	"weft/engines/files"
	"weft/engines/kustomization"
	"weft/internal/project/engines/wire"
)

// build builds a kustomization in a file system, over a connection as weft has it.
func build(t testing.TB, fsys fs.FS, dir string, origins bool) *wire.Answer {
	t.Helper()
	toEngines, weft := io.Pipe()
	fromEngines, engines := io.Pipe()
	go func() {
		defer engines.Close()
		c := wire.NewConn(toEngines, engines)
		var r wire.Request
		if err := c.Receive(&r); err != nil {
			return
		}
		c.Send(wire.FromEngines{Answer: kustomization.Build(&r, files.New(c))})
	}()
	c := wire.NewConn(fromEngines, weft)
	a, err := c.Converse(&wire.Request{Kustomization: &wire.Kustomization{Path: dir}, Origins: origins},
		func(name string) wire.Reply { return reply(fsys, name) })
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// reply returns what is at a path of a file system.
func reply(fsys fs.FS, name string) wire.Reply {
	if name == "" {
		name = "."
	}
	info, err := fs.Stat(fsys, name)
	if err != nil {
		if errors.Is(err, fs.ErrPermission) {
			return wire.Reply{Denied: "links out of the repository"}
		}
		return wire.Reply{}
	}
	if !info.IsDir() {
		data, err := fs.ReadFile(fsys, path.Clean(name))
		if err != nil {
			return wire.Reply{Denied: err.Error()}
		}
		return wire.Reply{File: &data}
	}
	r := wire.Reply{Dir: true}
	entries, _ := fs.ReadDir(fsys, name)
	for _, e := range entries {
		r.Entries = append(r.Entries, e.Name())
	}
	return r
}
