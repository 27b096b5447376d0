package suggest

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"weft/internal/lang/tree"
)

// This file is about texts in which several data values change, or one in several lines.

// readValue is a data value that code has read.
type readValue struct {
	info  tree.LeafInfo
	value tree.Value // a scalar that is not empty
}

// severalOptions returns the ways to change all data values that make the lines of a text differ. It returns
// nil if some line is not explained by the data values that it has.
func (s *search) severalOptions(was, now string, read []readValue) (list []option) {
	before, after := strings.Split(was, "\n"), strings.Split(now, "\n")
	if len(before) != len(after) {
		return nil
	}
	texts := map[int]string{}
	for i := range before {
		if before[i] == after[i] {
			continue
		}
		found := lineValues(before[i], after[i], read)
		for k, text := range found {
			if known, ok := texts[k]; ok && known != text {
				return nil
			}
			texts[k] = text
		}
		if len(found) == 0 {
			return nil
		}
	}
	for k, r := range read {
		text, ok := texts[k]
		if !ok {
			continue
		}
		v, ok := typed(r.value, text)
		if !ok {
			return nil
		}
		list = together(list, s.valueOptions(r.info.Values, r.info.Path, &v))
		if list == nil {
			return nil
		}
	}
	return list
}

// together returns options that make both of two changes; either if the first list has none yet.
func together(a, b []option) (list []option) {
	if a == nil {
		return b
	}
	for i := range min(len(a), len(b)) {
		o := a[i]
		o.also = append(slices.Clip(o.also), b[i])
		list = append(list, o)
	}
	return list
}

// maxTokens is how many data values of one line are looked at, and maxLineValues how long a line may be.
const (
	maxTokens     = 16
	maxLineValues = 2000
)

// lineValues returns the new texts of the data values, by number, that make two lines differ: of one, or of
// several.
func lineValues(was, now string, read []readValue) map[int]string {
	for k, r := range read {
		if list := parts(was, now, r.value); len(list) > 0 {
			return map[int]string{k: list[0].Text()}
		}
	}
	tokens := tokensOf(was, read)
	if len(tokens) < 2 || len(was)+len(now) > maxLineValues {
		return nil
	}
	pattern, at := `\A`, 0
	for _, t := range tokens {
		pattern += regexp.QuoteMeta(was[at:t.from]) + "(.+?)"
		at = t.to
	}
	re, err := regexp.Compile(pattern + regexp.QuoteMeta(was[at:]) + `\z`)
	if err != nil {
		return nil
	}
	found := re.FindStringSubmatch(now)
	if found == nil {
		return nil
	}
	all, changed := map[int]string{}, map[int]string{}
	for i, t := range tokens {
		text := found[i+1]
		if known, ok := all[t.value]; ok && known != text {
			return nil
		}
		if all[t.value] = text; text != was[t.from:t.to] {
			changed[t.value] = text
		}
	}
	return changed
}

// token is where a line has a data value.
type token struct{ from, to, value int }

// tokensOf returns where a line has data values: the longest first, and none directly after another one.
func tokensOf(line string, read []readValue) (list []token) {
	order := make([]int, len(read))
	for i := range order {
		order[i] = i
	}
	length := func(i int) int { return len(read[i].value.Text()) }
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(length(b), length(a)) })
	for _, k := range order {
		text := read[k].value.Text()
		for from := 0; len(list) < maxTokens; {
			i := strings.Index(line[from:], text)
			if i < 0 {
				break
			}
			t := token{from + i, from + i + len(text), k}
			from = t.to
			if !slices.ContainsFunc(list, func(x token) bool { return t.from <= x.to && x.from <= t.to }) {
				list = append(list, t)
			}
		}
	}
	slices.SortFunc(list, func(a, b token) int { return cmp.Compare(a.from, b.from) })
	return list
}
