package tree

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.starlark.net/starlark"

	"weft/internal/lang/source"
)

// mapOf makes a map of keys and values, which are strings, Values or *starlark.List.
func mapOf(t testing.TB, pairs ...any) Value {
	t.Helper()
	var items []Item
	for i := 0; i < len(pairs); i += 2 {
		v, ok := pairs[i+1].(Value)
		if !ok {
			v = String(pairs[i+1].(string))
		}
		items = append(items, Item{Key: String(pairs[i].(string)), Value: v})
	}
	return Of(NewMap(items, source.Pos{}))
}

func TestUnread(t *testing.T) {
	v := mapOf(
		t,
		"a",
		"1",
		"m",
		mapOf(t, "x", "1", "y", "2", "deep", mapOf(t, "z", "3")),
		"all",
		mapOf(t, "p", "1", "q", "2"),
		"names",
		mapOf(t, "p", "1"),
		"list",
		Of(NewArray([]Item{{Value: mapOf(t, "in", "1")}}, source.Pos{})),
	)
	attr := func(x starlark.Value, name string) starlark.Value {
		t.Helper()
		got, err := x.(starlark.HasAttrs).Attr(name)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	tests := []struct {
		name string
		read func(s starlark.Value)
		want string
	}{
		{"nothing", func(starlark.Value) {}, "a m all names list"},
		{"frozen is not read", func(s starlark.Value) { s.Freeze() }, "a m all names list"},
		{
			"some",
			func(s starlark.Value) { attr(s, "a"); attr(attr(s, "m"), "y") },
			"m/x m/deep all names list",
		},
		{"a map alone", func(s starlark.Value) { attr(s, "m") }, "a m/x m/y m/deep all names list"},
		{"all of a map", func(s starlark.Value) {
			if _, err := FromStarlark(attr(s, "all")); err != nil {
				t.Fatal(err)
			}
		}, "a m names list"},
		{"names", func(s starlark.Value) {
			for range starlark.Elements(attr(s, "names").(starlark.Iterable)) {
			}
		}, "a m all list"},
		{"an array", func(s starlark.Value) { attr(s, "list") }, "a m all names"},
		{"everything", func(s starlark.Value) {
			if _, err := FromStarlark(s); err != nil {
				t.Fatal(err)
			}
		}, ""},
	}
	for _, tt := range tests {
		for _, how := range []string{"own", "frozen", "copy"} {
			t.Run(tt.name+" "+how, func(t *testing.T) {
				var r Reads
				s := r.StructOf(v)
				switch how {
				case "frozen":
					s.Freeze()
				case "copy":
					s.Freeze()
					s = s.(*Struct).Copy()
				}
				tt.read(s)
				var got []string
				r.Unread(v, func(path []Value, _ Item) {
					var keys []string
					for _, k := range path {
						keys = append(keys, KeyText(k))
					}
					got = append(got, strings.Join(keys, "/"))
				})
				if text := strings.Join(got, " "); text != tt.want {
					t.Errorf("got %q, want %q", text, tt.want)
				}
			})
		}
	}
}

// A frozen struct is read by several threads, which all get the same; a copy has lists of its own.
func TestStructIsShared(t *testing.T) {
	var pairs []any
	for i := range 50 {
		pairs = append(
			pairs,
			fmt.Sprintf("key%d", i),
			Of(NewArray([]Item{{Value: String(fmt.Sprint(i))}}, source.Pos{})),
		)
	}
	s := StructOf(mapOf(t, pairs...)).(*Struct)
	s.Freeze()
	got := make([][]starlark.Value, 8)
	var wg sync.WaitGroup
	for i := range got {
		wg.Go(func() {
			for k := range 50 {
				v, err := s.Attr(fmt.Sprintf("key%d", (k+i)%50))
				if err != nil {
					t.Error(err)
				}
				got[i] = append(got[i], v)
			}
			slices.SortFunc(
				got[i],
				func(a, b starlark.Value) int { return strings.Compare(a.String(), b.String()) },
			)
		})
	}
	wg.Wait()
	for i := range got {
		if !slices.Equal(got[i], got[0]) {
			t.Fatalf("thread %d got other values than thread 0", i)
		}
	}
	if err := got[0][0].(*starlark.List).Append(starlark.None); err == nil {
		t.Error("a list of a frozen struct can be changed")
	}
	mine, err := s.Copy().Attr("key7")
	if err != nil {
		t.Fatal(err)
	}
	if err := mine.(*starlark.List).Append(starlark.None); err != nil {
		t.Errorf("a list of a copy cannot be changed: %v", err)
	}
	if theirs, _ := s.Attr("key7"); theirs.(*starlark.List).Len() != 1 {
		t.Error("what is added to a list of a copy shows in the original")
	}
}

func TestMissingField(t *testing.T) {
	s := StructOf(mapOf(t, "name", "x", "port", "y"))
	for _, tt := range []struct{ name, want string }{
		{"nmae", "struct has no .nmae field or method"},
		{"other", "struct has no .other field or method"},
	} {
		_, err := s.(*Struct).Attr(tt.name)
		if err == nil {
			t.Fatalf("%s is found", tt.name)
		}
		if diff := cmp.Diff(err.Error(), tt.want); diff != "" {
			t.Errorf("%s (-got +want):\n%s", tt.name, diff)
		}
	}
}
