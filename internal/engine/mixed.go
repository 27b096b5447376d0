package engine

import (
	"bytes"
	"slices"

	"weft/internal/engine/load"
)

// inputKey names an input in two sessions: of those with one path, which it is.
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
	a, b  bool // which of them have it
}

// filesThatDiffer are the inputs that differ between two sessions, in the order of the second;
// those that only the first has come last.
func filesThatDiffer(s, other *Session) []fileChange {
	if s == other {
		return nil
	}
	was := map[inputKey]load.Input{}
	for i, k := range keysOf(s.inputs) {
		was[k] = s.inputs[i]
	}
	var list []fileChange
	for i, k := range keysOf(other.inputs) {
		in := other.inputs[i]
		old, ok := was[k]
		delete(was, k)
		if !ok {
			list = append(list, fileChange{key: k, shown: in.Shown(), b: true})
		} else if !sameBytes(old, in) || !samePurpose(old, in) {
			list = append(list, fileChange{key: k, shown: in.Shown(), a: true, b: true})
		}
	}
	for i, k := range keysOf(s.inputs) {
		if _, ok := was[k]; ok {
			list = append(list, fileChange{key: k, shown: s.inputs[i].Shown(), a: true})
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

// mixed is the session with some of its inputs as another has them, and with its overrides if asked
// for. What is compiled already is shared.
func (s *Session) mixed(other *Session, take map[inputKey]bool, overrides bool) (*Session, error) {
	next := s.next()
	keys := keysOf(s.inputs)
	at := map[inputKey]int{} // where those of s are that stay, or are replaced
	theirs := map[inputKey]load.Input{}
	otherKeys := keysOf(other.inputs)
	for i, k := range otherKeys {
		theirs[k] = other.inputs[i]
	}
	for i, k := range keys {
		in := s.inputs[i]
		if take[k] {
			swapped, ok := theirs[k]
			if !ok {
				continue
			}
			var err error
			if in, err = next.adopt(swapped); err != nil {
				return nil, err
			}
		}
		at[k] = len(next.inputs)
		next.inputs = append(next.inputs, in)
	}
	for i, k := range otherKeys {
		if _, ok := at[k]; ok || !take[k] {
			continue
		}
		in, err := next.adopt(other.inputs[i])
		if err != nil {
			return nil, err
		}
		place := 0 // behind what it follows there
		for j := i - 1; j >= 0; j-- {
			if p, ok := at[otherKeys[j]]; ok {
				place = p + 1
				break
			}
		}
		next.inputs = slices.Insert(next.inputs, place, in)
		for key, p := range at {
			if p >= place {
				at[key] = p + 1
			}
		}
		at[k] = place
	}
	next.lib = s.lib.Next(next.inputs)
	s.mu.Lock()
	defer s.mu.Unlock()
	next.inherit(s.declared)
	next.overrides = s.overrides
	if overrides {
		next.config.Overrides, next.overrides = other.config.Overrides, other.overrides
	}
	return next, nil
}

// adopt is an input of another session with its bytes among the files of this one.
func (s *Session) adopt(in load.Input) (load.Input, error) {
	if in.File == nil {
		return in, nil
	}
	f, err := s.files.AddShown(in.File.Name(), in.File.Shown(), in.File.Data())
	in.File = f
	return in, err
}
