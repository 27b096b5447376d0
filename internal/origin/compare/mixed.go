package compare

import (
	"bytes"
	"slices"

	"weft/internal/engine"
	"weft/internal/engine/load"
)

// inputKey identifies an input in both sessions by its path, and by its index among inputs with that path.
type inputKey struct {
	path string
	n    int
}

func keysOf(inputs []load.Input) []inputKey {
	seen := map[string]int{}
	keys := make([]inputKey, len(inputs))
	for i, in := range inputs {
		keys[i] = inputKey{in.Path, seen[in.Path]}
		seen[in.Path]++
	}
	return keys
}

// fileChange is an input that differs between two sessions.
type fileChange struct {
	key   inputKey
	shown string
	a, b  bool // which sessions have it
}

// filesThatDiffer returns the inputs that differ between two sessions, in the order of the second. Those
// that only the first has come last.
func filesThatDiffer(s, other *engine.Session) []fileChange {
	if s == other {
		return nil
	}
	inputs, others := s.Inputs(), other.Inputs()
	was := map[inputKey]load.Input{}
	for i, k := range keysOf(inputs) {
		was[k] = inputs[i]
	}
	var list []fileChange
	for i, k := range keysOf(others) {
		in := others[i]
		old, ok := was[k]
		delete(was, k)
		if !ok {
			list = append(list, fileChange{key: k, shown: in.Shown(), b: true})
		} else if !sameBytes(old, in) || !samePurpose(old, in) {
			list = append(list, fileChange{key: k, shown: in.Shown(), a: true, b: true})
		}
	}
	for i, k := range keysOf(inputs) {
		if _, ok := was[k]; ok {
			list = append(list, fileChange{key: k, shown: inputs[i].Shown(), a: true})
		}
	}
	return list
}

func samePurpose(a, b load.Input) bool {
	return a.Type == b.Type && a.Template == b.Template && a.Library == b.Library &&
		a.Output == b.Output
}

func sameBytes(a, b load.Input) bool {
	x, err := contentOf(a)
	y, err2 := contentOf(b)
	return err == nil && err2 == nil && bytes.Equal(x, y)
}

func contentOf(in load.Input) ([]byte, error) {
	if in.File != nil {
		return in.File.Data(), nil
	}
	return in.Read()
}

// mixed returns the session with some inputs and short cuts taken from another session, and its overrides,
// too, if requested.
func mixed(
	s, other *engine.Session, take map[inputKey]bool, shortcuts []string, overrides bool,
) (*engine.Session, error) {
	var inputs []load.Input
	at := map[inputKey]int{} // indexes of inputs of s that stay or are replaced
	theirs := map[inputKey]load.Input{}
	otherKeys := keysOf(other.Inputs())
	for i, k := range otherKeys {
		theirs[k] = other.Inputs()[i]
	}
	for i, k := range keysOf(s.Inputs()) {
		in := s.Inputs()[i]
		if take[k] {
			var ok bool
			if in, ok = theirs[k]; !ok {
				continue
			}
		}
		at[k] = len(inputs)
		inputs = append(inputs, in)
	}
	for i, k := range otherKeys {
		if _, ok := at[k]; ok || !take[k] {
			continue
		}
		place := 0 // after its predecessor in the other session
		for j := i - 1; j >= 0; j-- {
			if p, ok := at[otherKeys[j]]; ok {
				place = p + 1
				break
			}
		}
		inputs = slices.Insert(inputs, place, theirs[k])
		for key, p := range at {
			if p >= place {
				at[key] = p + 1
			}
		}
		at[k] = place
	}
	from := s
	if overrides {
		from = other
	}
	cuts := s.Shortcuts()
	if len(shortcuts) > 0 {
		cuts = cuts.With(other.Shortcuts(), shortcuts)
	}
	return s.Mixed(inputs, cuts, from)
}
