package jsonschema

import (
	"slices"

	"weft/internal/lang/tree"
)

// none reports that a value fits none of several schemas. Reporting every problem with each of them
// would be noise: it reports one problem that covers all, or the problems with the schema that was
// likely meant.
func (c *checker) none(list []*Schema, tries [][]Problem, v tree.Value) {
	depth := len(c.at)
	if only := requiredOnly(list); only != nil {
		c.report(Problem{what: missingField, value: v, names: only, strict: true})
		return
	}
	if types, ok := typesOnly(tries, depth); ok {
		c.report(Problem{what: wrongType, value: v, types: types})
		return
	}
	c.found = append(c.found, closestAlternative(tries, depth)...)
}

// requiredOnly returns the fields that the schemas require, if they require nothing else; otherwise
// nil.
func requiredOnly(list []*Schema) (names []string) {
	for _, s := range list {
		required, ok := s.raw.Lookup("required")
		if !ok || s.raw.Len() != 1 || required.Len() != 1 {
			return nil
		}
		for _, name := range s.read().required {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// typesOnly returns the types that the schemas allow, if the value has none of them.
func typesOnly(tries [][]Problem, depth int) (types, bool) {
	var all types
	for _, tried := range tries {
		if len(tried) != 1 || tried[0].what != wrongType || len(tried[0].Path) != depth {
			return 0, false
		}
		all |= tried[0].types
	}
	return all, true
}

// closestAlternative returns the problems with the schema that was likely meant: one that fits the value
// itself, whose problems are deepest and fewest.
func closestAlternative(tries [][]Problem, depth int) []Problem {
	return slices.MinFunc(tries, func(a, b []Problem) int {
		if x, y := fits(a, depth), fits(b, depth); x != y {
			return y - x
		}
		return len(a) - len(b)
	})
}

// fits returns how well a schema fits: 0 if the value itself has another type or is not an allowed
// value, else the depth of the first problem.
func fits(tried []Problem, depth int) int {
	least := len(tried[0].Path)
	for _, p := range tried {
		here := len(p.Path) == depth
		if here && (p.what == wrongType || p.what == notInEnum) {
			return 0
		}
		if len(p.Path) == depth+1 && p.what == notInEnum {
			return 1 // for example a field that distinguishes the alternatives
		}
		least = min(least, len(p.Path))
	}
	return least - depth + 2
}
