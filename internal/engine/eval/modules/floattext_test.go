package modules

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

func TestFloatText(t *testing.T) {
	tests := []struct {
		f    float64
		want string
	}{
		{0, "0"},
		{1, "1"},
		{-2.5, "-2.5"},
		{0.1 + 0.2, "0.3"},
		{100000, "100000"},
		{1000000, "1e+06"},
		{123456789, "1.23457e+08"},
		{1e10, "1e+10"},
		{1.0 / 3, "0.333333"},
		{0.0001, "0.0001"},
		{0.00001, "1e-05"},
		{math.Copysign(0, -1), "-0"},
		{math.Inf(1), "+Inf"},
		{math.Inf(-1), "-Inf"},
		{math.NaN(), "NaN"},
		{math.MaxFloat64, "1.79769e+308"},
	}
	for _, test := range tests {
		if got := FloatText(test.f); got != test.want {
			t.Errorf("%v: got %s, want %s", test.f, got, test.want)
		}
	}
}

// TestDeepValues: neither a value that contains itself, nor one that is nested without end, nor one
// whose text is huge is a problem.
func TestDeepValues(t *testing.T) {
	if testing.Short() {
		t.Skip("it counts up to a limit")
	}
	nested := starlark.NewList(nil)
	for range 2 * maxTextDepth {
		nested = starlark.NewList([]starlark.Value{nested})
	}
	tuples := starlark.Tuple{}
	for range 2 * maxTextDepth {
		tuples = starlark.Tuple{tuples}
	}
	double := starlark.NewList([]starlark.Value{starlark.String(strings.Repeat("x", 10_000))})
	for range 60 {
		double = starlark.NewList([]starlark.Value{double, double})
	}
	ways := []string{
		`str(v)`,
		`repr([v])`,
		`percent("%s", (v,))`,
		`format("{}", v)`,
		`format("{a}", a=v)`,
		`print(v)`,
		`fail(v)`,
	}
	tests := []struct {
		name string
		v    starlark.Value
		ways []string
	}{
		{"lists", nested, ways},
		{"tuples", tuples, ways[:2]},
		{"huge", double, ways[:1]},
	}
	for _, test := range tests {
		for _, expr := range test.ways {
			env := predeclared(t, &Env{})
			env["v"] = test.v
			thread := &starlark.Thread{Print: func(*starlark.Thread, string) {}}
			_, err := starlark.EvalOptions(options, thread, "test", expr, env)
			if _, ok := errors.AsType[*LimitError](err); !ok {
				t.Errorf("%s of %s: got %v, want that a limit was passed", expr, test.name, err)
			}
		}
	}

	// The cycle is closed at several depths, on both sides of the border between the two ways in
	// which it is found.
	for _, depth := range []int{0, 1, 14, 15, 16, 17, 40} {
		bottom := starlark.NewList(nil)
		var top starlark.Value = bottom
		for i := range depth {
			if i%2 == 0 {
				d := starlark.NewDict(1)
				if err := d.SetKey(starlark.String("k"), top); err != nil {
					t.Fatal(err)
				}
				top = d
			} else {
				top = starlark.NewList([]starlark.Value{top})
			}
		}
		for _, v := range []starlark.Value{top, starlark.Tuple{top}, bottom} {
			if err := bottom.Append(v); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := Text(top); err != nil || got != top.String() {
			t.Errorf("a cycle at depth %d: got %s, %v, want %s", depth, got, err, top)
		}
	}
}

func TestPrint(t *testing.T) {
	var got []string
	thread := &starlark.Thread{Print: func(_ *starlark.Thread, s string) { got = append(got, s) }}
	program := `print("a", 1.0, [2.5e9], sep="-"); print(); print(struct.make(a=1.0))`
	if _, err := starlark.ExecFileOptions(options, thread, "test", program, predeclared(t, &Env{})); err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Join(got, "|"), "a-1-[2.5e+09]||struct(...)"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// FuzzText: the text of a value without floats is Starlark's own, in every way of making one; with
// floats all ways agree with each other.
func FuzzText(f *testing.F) {
	f.Add([]byte("[{1'a,2}]"), "%s %d %%")
	f.Add([]byte("(sb[[]n{"), "{} %(a)s {0!r}")
	f.Add([]byte("[.]{a.}(."), "%g|%r|%e")
	f.Add([]byte("(sb0n"), "{}{}0%(a)(0%(a)s000000")
	f.Fuzz(func(t *testing.T, data []byte, format string) {
		m := maker{data: data}
		v := m.value(0)
		own, err := Text(v)
		if err != nil {
			t.Fatal(err)
		}
		_, isString := v.(starlark.String)
		if !m.floats && !isString && own != v.String() {
			t.Errorf("got %s, want %s", own, v)
		}
		thread := &starlark.Thread{}
		for verb, f := range map[string]starlark.Value{"%s": starlark.String("%s"), "%r": starlark.String("%r")} {
			got, err := Percent(thread, nil, starlark.Tuple{f, starlark.Tuple{v}}, nil)
			want := own
			if isString && verb == "%r" {
				want = v.String()
			}
			if err != nil || got != starlark.String(want) {
				t.Errorf("%s: got %v, %v, want %s", verb, got, err, want)
			}
		}
		got, err := Format(thread, nil, starlark.Tuple{starlark.String("{}"), v}, nil)
		if err != nil || got != starlark.String(own) {
			t.Errorf("format: got %v, %v, want %s", got, err, own)
		}

		// Any format, right or wrong, does what it does in Starlark, down to the error.
		d := starlark.NewDict(1)
		if err := d.SetKey(starlark.String("a"), v); err != nil {
			t.Fatal(err)
		}
		for _, y := range []starlark.Value{v, starlark.Tuple{v, starlark.MakeInt(1)}, d} {
			got, err := Percent(thread, nil, starlark.Tuple{starlark.String(format), y}, nil)
			want, wantErr := starlark.Binary(syntax.PERCENT, starlark.String(format), y)
			same(t, m.floats || strings.ContainsAny(format, "gG"), got, err, want, wantErr)
		}
		kwargs := []starlark.Tuple{{starlark.String("a"), v}}
		got, err = Format(thread, nil, starlark.Tuple{starlark.String(format), v}, kwargs)
		method, _ := starlark.String(format).Attr("format")
		want, wantErr := method.(*starlark.Builtin).CallInternal(thread, starlark.Tuple{v}, kwargs)
		same(t, m.floats, got, err, want, wantErr)
	})
}

// same compares two results; of texts with floats in them only whether there is an error, and
// which.
func same(
	t *testing.T,
	floats bool,
	got starlark.Value,
	err error,
	want starlark.Value,
	wantErr error,
) {
	t.Helper()
	if outcomeOf(err) != outcomeOf(wantErr) || !floats && err == nil && got != want {
		t.Errorf("got %v, %v, want %v, %v", got, err, want, wantErr)
	}
}

func outcomeOf(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// maker makes a value of bytes.
type maker struct {
	data   []byte
	floats bool
}

func (m *maker) value(depth int) starlark.Value {
	c := m.next()
	if depth > 20 {
		c = 'n'
	}
	switch c {
	case '[':
		return starlark.NewList(m.values(depth))
	case '(':
		return starlark.Tuple(m.values(depth))
	case '{':
		d := starlark.NewDict(0)
		for _, v := range m.values(depth) {
			_ = d.SetKey(v, v) // what cannot be a key is left out
		}
		return d
	case 's':
		set := starlark.NewSet(0)
		for _, v := range m.values(depth) {
			_ = set.Insert(v)
		}
		return set
	case '\'':
		return starlark.String([]byte{m.next(), m.next()})
	case 'b':
		return starlark.Bytes([]byte{m.next()})
	case '.':
		m.floats = true
		return starlark.Float(float64(m.next()) / 7)
	case 'f':
		return starlark.Universe["len"]
	case 't':
		return starlark.True
	case 'n', 0:
		return starlark.None
	}
	return starlark.MakeInt(int(c) - 50)
}

func (m *maker) values(depth int) []starlark.Value {
	var vs []starlark.Value
	for len(m.data) > 0 {
		if c := m.data[0]; c == ']' || c == ')' || c == '}' {
			m.data = m.data[1:]
			break
		}
		vs = append(vs, m.value(depth+1))
	}
	return vs
}

func (m *maker) next() byte {
	if len(m.data) == 0 {
		return 0
	}
	c := m.data[0]
	m.data = m.data[1:]
	return c
}

// A law: whatever values hold each other, many times over or in a circle, their text is Starlark's.
func TestTextsOfSharedValues(t *testing.T) {
	if testing.Short() {
		t.Skip("it counts up to a limit")
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		// Texts are remembered only after a long one.
		all := []starlark.Value{starlark.String(strings.Repeat("x", fewTexts+1))}
		for range 3 + rnd.IntN(12) {
			var v starlark.Value = starlark.NewList(nil)
			if rnd.IntN(3) == 0 {
				v = starlark.NewDict(0)
			}
			all = append(all, v)
		}
		for i, v := range all[1:] {
			from := i + 2 // what comes later: no circles
			if rnd.IntN(20) == 0 {
				from = 1
			}
			for n := range 1 + rnd.IntN(3) {
				x := starlark.Value(starlark.String(strings.Repeat("text ", 20)))
				if from < len(all) {
					x = all[from+rnd.IntN(len(all)-from)]
				}
				switch v := v.(type) {
				case *starlark.List:
					v.Append(x)
				case *starlark.Dict:
					v.SetKey(starlark.MakeInt(n), x)
				}
			}
		}
		v := starlark.NewList(all)
		got, err := Text(v)
		if want := v.String(); err != nil || got != want {
			t.Fatalf("got\n%s, %v\nwant\n%s", got[fewTexts:], err, want[fewTexts:])
		}
	}
}
