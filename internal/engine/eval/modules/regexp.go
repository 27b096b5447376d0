package modules

import (
	"regexp"
	"strings"
	"sync"

	"weft/internal/lang/lazy"

	"go.starlark.net/starlark"
)

var regexpModule = lazy.Value[starlark.StringDict]{New: func() starlark.StringDict {
	return export("regexp", map[string]function{
		"match":   regexpMatch,
		"replace": regexpReplace,
	}, nil)
}}

func regexpMatch(
	_ *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple,
) (starlark.Value, error) {
	if err := exactly(2, args); err != nil {
		return nil, err
	}
	re, s, err := regexpArgs(args)
	if err != nil {
		return nil, err
	}
	return starlark.Bool(re.MatchString(s)), nil
}

func regexpReplace(
	thread *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple,
) (starlark.Value, error) {
	if err := exactly(3, args); err != nil {
		return nil, err
	}
	re, s, err := regexpArgs(args)
	if err != nil {
		return nil, err
	}
	if f, ok := args[2].(starlark.Callable); ok {
		return replaceByFunction(thread, re, s, f)
	}
	repl, err := toString(args[2])
	if err != nil {
		return nil, err
	}
	if product(uint64(len(s)+1), uint64(len(repl)+1)) < minChargedBytes {
		return starlark.String(re.ReplaceAllString(s, repl)), nil
	}
	if err := checkMatches(thread, re, s, repl); err != nil {
		return nil, err
	}
	return starlark.String(re.ReplaceAllString(s, repl)), nil
}

// checkMatches returns an error if s with all matches replaced would exceed the limits. A group is
// no longer than the match that contains it.
func checkMatches(thread *starlark.Thread, re *regexp.Regexp, s, repl string) error {
	total, groups := uint64(len(s)), uint64(strings.Count(repl, "$"))
	re.ReplaceAllStringFunc(s, func(match string) string {
		total = min(total+uint64(len(repl))+product(groups, uint64(len(match))), 1<<60)
		return ""
	})
	return fits(thread, total)
}

// replaceByFunction calls f for each match, up to the first error.
func replaceByFunction(
	thread *starlark.Thread, re *regexp.Regexp, s string, f starlark.Callable,
) (starlark.Value, error) {
	var b strings.Builder
	end := 0
	for _, m := range re.FindAllStringIndex(s, -1) {
		v, err := starlark.Call(thread, f, starlark.Tuple{starlark.String(s[m[0]:m[1]])}, nil)
		if err != nil {
			return nil, err
		}
		repl, err := toString(v)
		if err != nil {
			return nil, err
		}
		if err := room(thread, b.Len(), len(repl)); err != nil {
			return nil, err
		}
		b.WriteString(s[end:m[0]])
		b.WriteString(repl)
		end = m[1]
	}
	b.WriteString(s[end:])
	return starlark.String(b.String()), nil
}

func regexpArgs(args starlark.Tuple) (*regexp.Regexp, string, error) {
	pattern, err := toString(args[0])
	if err != nil {
		return nil, "", err
	}
	s, err := toString(args[1])
	if err != nil {
		return nil, "", err
	}
	re, err := patterns.compile(pattern)
	return re, s, err
}

// maxPatterns is the maximum number of compiled patterns that are kept. Programs have a handful and
// use them in loops, but one that generates patterns must not exhaust memory.
const maxPatterns = 256

// patterns caches compiled patterns for all threads.
var patterns patternCache

type patternCache struct {
	mu sync.RWMutex
	m  map[string]*regexp.Regexp
}

// compile returns a compiled pattern, from the cache if possible. A full cache is emptied: patterns
// in use come back immediately.
func (c *patternCache) compile(pattern string) (*regexp.Regexp, error) {
	c.mu.RLock()
	re := c.m[pattern]
	c.mu.RUnlock()
	if re != nil {
		return re, nil
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.m == nil || len(c.m) >= maxPatterns {
		c.m = make(map[string]*regexp.Regexp)
	}
	c.m[pattern] = re
	return re, nil
}
