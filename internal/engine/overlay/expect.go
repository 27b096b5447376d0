package overlay

import (
	"fmt"
	"strconv"
	"strings"

	"go.starlark.net/starlark"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
)

// settings are the keyword arguments that say how many matches there may be, of a match or of
// match-child-defaults. At most one of them may be set.
type settings struct {
	expects, missingOK, when starlark.Value
}

func (s *settings) set(name string, v starlark.Value) {
	switch name {
	case "expects":
		s.expects = v
	case "missing_ok":
		s.missingOK = v
	case "when":
		s.when = v
	}
}

func (s settings) any() bool { return s.expects != nil || s.missingOK != nil || s.when != nil }

// expect says how many matches there may be: as many as one of the counts says. With when, nothing
// is done if there are not. The zero value expects exactly one.
type expect struct {
	counts []count
	when   bool
	bad    *diag.Diagnostic // told after matching
}

// count is one of the numbers that there may be.
type count struct {
	n       int
	atLeast bool
	fn      starlark.Callable
}

func newExpect(s settings) expect {
	if d := s.exclusive(); d != nil {
		return expect{bad: d}
	}
	switch {
	case s.expects != nil:
		e := expect{}
		e.bad = e.read("expects", s.expects)
		return e
	case s.when != nil:
		e := expect{when: true}
		e.bad = e.read("when", s.when)
		return e
	case s.missingOK != nil:
		ok, isBool := s.missingOK.(starlark.Bool)
		if !isBool {
			return expect{bad: wrong("expected keyword argument missing_ok to be True or False, "+
				"but was %s", describe(s.missingOK))}
		}
		if ok {
			return expect{counts: []count{{n: 0}, {n: 1}}}
		}
	}
	return expect{}
}

// exclusive tells if two of the settings are given.
func (s settings) exclusive() *diag.Diagnostic {
	var given []string
	for _, x := range []struct {
		name string
		v    starlark.Value
	}{{"missing_ok", s.missingOK}, {"when", s.when}, {"expects", s.expects}} {
		if x.v != nil {
			given = append(given, x.name)
		}
	}
	if len(given) < 2 {
		return nil
	}
	d := wrong("expected only one of the keyword arguments missing_ok, expects and when, but "+
		"found %s", strings.Join(given, " and "))
	if s.missingOK != nil {
		return d.WithHint("missing_ok=True is short for expects=[0, 1]")
	}
	return d.WithHint("expects fails on any other number of matches; when skips the node")
}

// read reads the value of expects or when.
func (e *expect) read(name string, v starlark.Value) *diag.Diagnostic {
	switch v := v.(type) {
	case starlark.Int:
		n, ok := v.Int64()
		if !ok || n > 1<<40 {
			n = -1 // nothing is so large
		}
		e.counts = append(e.counts, count{n: int(n)})
		return nil
	case starlark.String:
		digits, ok := strings.CutSuffix(string(v), "+")
		n, err := strconv.Atoi(digits)
		if !ok || err != nil {
			d := wrong("expected %q to be in format \"i+\" where i is an integer", string(v))
			if n, err := strconv.Atoi(string(v)); err == nil {
				return d.WithHint("write %s=%d for exactly %d, or %s=\"%d+\" for at least %d", name,
					n, n, name, n, n)
			}
			return d.WithHint("write %s=\"1+\" for at least one", name)
		}
		e.counts = append(e.counts, count{n: n, atLeast: true})
		return nil
	case *starlark.List, starlark.Tuple:
		for x := range starlark.Elements(v.(starlark.Iterable)) {
			switch x.(type) {
			case *starlark.List, starlark.Tuple:
				return wrong("expected keyword argument %s to be a list of integers, strings and "+
					"functions, but found a list in it", name)
			}
			if d := e.read(name, x); d != nil {
				return d
			}
		}
		if len(e.counts) == 0 {
			return wrong("expected keyword argument %s to contain at least one number, but the "+
				"list "+
				"is empty", name)
		}
		return nil
	case starlark.Callable:
		e.counts = append(e.counts, count{fn: v})
		return nil
	}
	return wrong("expected keyword argument %s of @overlay/match to be an integer, a string "+
		"(\"1+\"), a list or a function, but was %s", name, describe(v)).
		WithHint("write %s=2 for exactly two, %s=\"2+\" for at least two", name, name)
}

// holds reports whether there may be n matches. The error is that of a function.
func (x *expect) holds(by *caller, n int) (bool, error) {
	if x.counts == nil {
		return n == 1, nil
	}
	for i := range x.counts {
		c := &x.counts[i]
		if c.fn != nil {
			ok, err := c.ask(by, n)
			if ok || err != nil {
				return ok, err
			}
			continue
		}
		if n == c.n || c.atLeast && n > c.n {
			return true, nil
		}
	}
	return false, nil
}

// ask calls a function with the number of matches.
func (c *count) ask(by *caller, n int) (bool, error) {
	res, err := by.call(c.fn, starlark.MakeInt(n))
	if err != nil {
		return false, err
	}
	b, ok := res.(starlark.Bool)
	if !ok {
		return false, diag.Errorf(source.Span{}, CodeAnnotation,
			"expected the expects or when function to return True or False, but it returned "+
				"%s", describe(res))
	}
	return bool(b), nil
}

// String returns what is expected: "0 or 1 matches", "at least 2 matches".
func (x *expect) String() string {
	if x.counts == nil {
		return "1 match"
	}
	words := make([]string, len(x.counts))
	for i, c := range x.counts {
		switch {
		case c.fn != nil:
			words[i] = "what the function accepts"
		case c.atLeast:
			words[i] = fmt.Sprintf("at least %d", c.n)
		default:
			words[i] = strconv.Itoa(c.n)
		}
	}
	switch last := x.counts[len(x.counts)-1]; {
	case len(words) == 1 && last.fn != nil:
		return "a number of matches that the function accepts"
	case len(words) == 1 && last.n == 1:
		return words[0] + " match"
	}
	return strings.Join(words, " or ") + " matches"
}

// takesMore reports whether more matches than n might do.
func (x *expect) takesMore(n int) bool {
	if x.counts == nil {
		return n < 1
	}
	for _, c := range x.counts {
		if c.fn != nil || c.atLeast || c.n > n {
			return true
		}
	}
	return false
}
