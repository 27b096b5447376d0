package overlay

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.starlark.net/starlark"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
)

// Settings are the keyword arguments of match or match-child-defaults that limit the number of
// matches. At most one of them may be set.
type Settings struct {
	Expects, MissingOK, When starlark.Value
}

func (s *Settings) set(name string, v starlark.Value) {
	switch name {
	case "expects":
		s.Expects = v
	case "missing_ok":
		s.MissingOK = v
	case "when":
		s.When = v
	}
}

func (s Settings) Any() bool { return s.Expects != nil || s.MissingOK != nil || s.When != nil }

// Expect is the allowed number of matches: any of the counts. With when, any other number means
// that nothing is done. The zero value expects exactly one match.
type Expect struct {
	Counts []Count
	When   bool
	Bad    *diag.Diagnostic // reported after matching
}

// Count is one allowed number of matches.
type Count struct {
	N       int
	AtLeast bool
	Func    starlark.Callable
}

// calls reports whether a function decides.
func (e *Expect) calls() bool {
	return slices.ContainsFunc(e.Counts, func(c Count) bool { return c.Func != nil })
}

func newExpect(s Settings) Expect {
	if d := s.exclusive(); d != nil {
		return Expect{Bad: d}
	}
	switch {
	case s.Expects != nil:
		e := Expect{}
		e.Bad = e.read("expects", s.Expects)
		return e
	case s.When != nil:
		e := Expect{When: true}
		e.Bad = e.read("when", s.When)
		return e
	case s.MissingOK != nil:
		ok, isBool := s.MissingOK.(starlark.Bool)
		if !isBool {
			return Expect{Bad: wrong("expected keyword argument missing_ok to be True or False, "+
				"but was %s", describe(s.MissingOK))}
		}
		if ok {
			return Expect{Counts: []Count{{N: 0}, {N: 1}}}
		}
	}
	return Expect{}
}

// exclusive returns an error if two of the settings are given.
func (s Settings) exclusive() *diag.Diagnostic {
	var given []string
	for _, x := range []struct {
		name string
		v    starlark.Value
	}{{"missing_ok", s.MissingOK}, {"when", s.When}, {"expects", s.Expects}} {
		if x.v != nil {
			given = append(given, x.name)
		}
	}
	if len(given) < 2 {
		return nil
	}
	d := wrong("expected only one of the keyword arguments missing_ok, expects and when, but "+
		"found %s", strings.Join(given, " and "))
	if s.MissingOK != nil {
		return d.WithHint("missing_ok=True is short for expects=[0, 1]")
	}
	return d.WithHint("expects fails on any other number of matches; when skips the node")
}

// read reads the value of expects or when.
func (e *Expect) read(name string, v starlark.Value) *diag.Diagnostic {
	switch v := v.(type) {
	case starlark.Int:
		n, ok := v.Int64()
		if !ok || n > 1<<40 {
			n = -1 // no collection has so many items
		}
		e.Counts = append(e.Counts, Count{N: int(n)})
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
		e.Counts = append(e.Counts, Count{N: n, AtLeast: true})
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
		if len(e.Counts) == 0 {
			return wrong("expected keyword argument %s to contain at least one number, but the "+
				"list "+
				"is empty", name)
		}
		return nil
	case starlark.Callable:
		e.Counts = append(e.Counts, Count{Func: v})
		return nil
	}
	return wrong("expected keyword argument %s of @overlay/match to be an integer, a string "+
		"(\"1+\"), a list or a function, but was %s", name, describe(v)).
		WithHint("write %s=2 for exactly two, %s=\"2+\" for at least two", name, name)
}

// holds reports whether n matches are allowed. The error comes from a function.
func (x *Expect) holds(by *Caller, n int) (bool, error) {
	if x.Counts == nil {
		return n == 1, nil
	}
	for i := range x.Counts {
		c := &x.Counts[i]
		if c.Func != nil {
			ok, err := c.ask(by, n)
			if ok || err != nil {
				return ok, err
			}
			continue
		}
		if n == c.N || c.AtLeast && n > c.N {
			return true, nil
		}
	}
	return false, nil
}

// ask calls a function with the number of matches.
func (c *Count) ask(by *Caller, n int) (bool, error) {
	res, err := by.call(c.Func, starlark.MakeInt(n))
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

// String returns the expected number: "0 or 1 matches", "at least 2 matches".
func (x *Expect) String() string {
	if x.Counts == nil {
		return "1 match"
	}
	words := make([]string, len(x.Counts))
	for i, c := range x.Counts {
		switch {
		case c.Func != nil:
			words[i] = "what the function accepts"
		case c.AtLeast:
			words[i] = fmt.Sprintf("at least %d", c.N)
		default:
			words[i] = strconv.Itoa(c.N)
		}
	}
	switch last := x.Counts[len(x.Counts)-1]; {
	case len(words) == 1 && last.Func != nil:
		return "a number of matches that the function accepts"
	case len(words) == 1 && last.N == 1:
		return words[0] + " match"
	}
	return strings.Join(words, " or ") + " matches"
}

// AllowsMore reports whether some number of matches greater than n may be allowed.
func (x *Expect) AllowsMore(n int) bool {
	if x.Counts == nil {
		return n < 1
	}
	for _, c := range x.Counts {
		if c.Func != nil || c.AtLeast || c.N > n {
			return true
		}
	}
	return false
}
