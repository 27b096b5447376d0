package chart

import (
	"fmt"
	"io"
	"testing"

	"helm.sh/helm/v4/pkg/chart/loader/archive"

	"weft/engines/files"
	"weft/internal/project/engines/wire"
	"weft/internal/testing/charttest"
)

// TestKept renders a chart with 1,000 different values: its files are asked for once. The files of another
// source, and those of requests without one, are asked for again.
func TestKept(t *testing.T) {
	c := charttest.Read(t, "testdata/plain.txtar")
	ar, aw := io.Pipe()
	br, bw := io.Pipe()
	all := &Charts{}
	go func() {
		conn := wire.NewConn(ar, bw)
		for {
			var r wire.Request
			if conn.Receive(&r) != nil || conn.Answer(all.Render(&r, files.New(conn))) != nil {
				return
			}
		}
	}()
	asked := 0
	read := c.Reader()
	conn := wire.NewConn(br, aw)
	send := func(source, replicas int) string {
		r := c.Chart()
		r.Source = source
		r.Values = []wire.ValuesFile{{Name: "v", Text: fmt.Sprintf("replicas: %d\n", replicas)}}
		a, err := conn.Converse(&wire.Request{Chart: r}, func(path string) wire.Reply {
			asked++
			return read(path)
		})
		if err != nil || a.Error != nil || len(a.Docs) != 1 {
			t.Fatal(err, a)
		}
		return a.Docs[0].Text
	}
	texts := map[string]bool{}
	first := 0
	for i := range 1000 {
		texts[send(7, i)] = true
		if i == 0 {
			first = asked
		}
	}
	if first == 0 || asked != first || len(texts) != 1000 {
		t.Errorf("%d questions for %d texts, %d for the first one", asked, len(texts), first)
	}
	send(0, 1)
	send(0, 1)
	send(8, 1)
	send(7, 1)
	if asked != 4*first {
		t.Errorf("%d questions, %d for the first chart", asked, first)
	}
}

// TestKeptIsLimited fails if the files of charts that are no longer sent fill the memory.
func TestKeptIsLimited(t *testing.T) {
	all := &kept{}
	for i, size := range []int{maxSources / 3, maxSources / 2, maxSources / 2, maxSources + 1, 1, maxSources} {
		s := &source{list: []*archive.BufferedFile{{Data: make([]byte, size)}}}
		got, err := all.source(&wire.Chart{Source: i + 1}, func() (*source, error) { return s, nil })
		if got != s || err != nil {
			t.Fatal(got, err)
		}
		sum := 0
		for _, s := range all.sources {
			sum += len(s.list[0].Data)
		}
		if sum != all.size || sum > maxSources {
			t.Errorf("after %d: %d bytes are kept, and %d counted", i, sum, all.size)
		}
	}
}
