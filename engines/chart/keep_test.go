package chart

import (
	"fmt"
	"io"
	"testing"

	"weft/engines/files"
	"weft/internal/project/engines/wire"
	"weft/internal/testing/charttest"
)

// TestKept renders a chart 1,000 times with 10 different values: that is 10 renders, and its files are asked
// for once. Requests without a digest are rendered each time.
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
	send := func(digest string, replicas int) string {
		r := c.Chart()
		r.Digest = digest
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
	for i := range 1000 {
		texts[send("d", i%10)] = true
	}
	first := asked
	if all.renders != 10 || len(texts) != 10 {
		t.Errorf("%d renders of %d texts", all.renders, len(texts))
	}
	send("", 1)
	send("", 1)
	send("e", 1)
	if all.renders != 13 || asked != 4*first {
		t.Errorf("%d renders, %d questions, %d for the first chart", all.renders, asked, first)
	}
}
