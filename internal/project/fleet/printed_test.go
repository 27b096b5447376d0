package fleet

import "testing"

// Results of one cache share what is known about the files of a directory.
func TestWrittenToIsShared(t *testing.T) {
	shared := &printed{}
	first, second := &Result{printed: shared}, &Result{printed: shared}
	w := first.writtenTo("out")
	if w == nil || second.writtenTo("out") != w {
		t.Error("the files of a directory are not remembered")
	}
	if first.writtenTo("other") == w {
		t.Error("two directories share their files")
	}
	if (&Result{}).writtenTo("out") != nil {
		t.Error("files are remembered without a cache")
	}
}
