package secret

import (
	"testing"
	"unicode/utf8"

	"go.starlark.net/starlark"

	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// Another secret is another value of the same type and form, and so is another one of that.
func TestOther(t *testing.T) {
	for form := range Forms {
		testOther(t, &Others{Form: form, Quoted: map[string]bool{"quick": true, "ZZ": true, "a": true, "zz": true}})
	}
}

func testOther(t *testing.T, o *Others) {
	for _, x := range []starlark.Value{
		starlark.String("quicksilver"), starlark.String("ZZ-zz-99"), starlark.String("!!??"), starlark.String("**"),
		starlark.String("Пароль-я"), starlark.String("a"), starlark.MakeInt(-7), starlark.MakeUint64(1 << 63),
		starlark.Float(0.5),
	} {
		v := tree.Of(x)
		once := o.Of(v)
		twice := o.Of(once)
		for _, other := range []tree.Value{once, twice} {
			if other.TypeName() != v.TypeName() {
				t.Errorf("%s becomes %s", v.TypeName(), other.TypeName())
			}
			if v.TypeName() == "string" && utf8.RuneCountInString(other.Text()) != utf8.RuneCountInString(v.Text()) {
				t.Errorf("%s becomes %s, which has another length", v.Text(), other.Text())
			}
		}
		if once.Text() == v.Text() || twice.Text() == once.Text() {
			t.Errorf("%s becomes %s and %s", v.Text(), once.Text(), twice.Text())
		}
		if text := v.Text(); text != "!!??" && text != "**" && twice.Text() == text {
			t.Errorf("%s becomes itself", text)
		}
	}
	if got := o.Of(tree.Of(starlark.False)); got.Starlark() != starlark.True {
		t.Errorf("false becomes %s", got.Text())
	}
	if !o.Of(tree.Null).IsNull() {
		t.Error("null becomes something else")
	}
	list := tree.Of(tree.NewArray([]tree.Item{{Value: tree.String("abc")}}, source.Pos{}))
	array, _ := o.Of(list).Array()
	if array == nil || array.Entries()[0].Value.Text() == "abc" {
		t.Error("the item of a list stays")
	}
}
