package project

import (
	"errors"
	"io/fs"
	"slices"

	"weft/internal/lang/diag"
)

// withoutAbsent removes what the files of a revision do not have yet from settings that a later weft.yml has,
// and returns the errors that remain. So a new chart is compared with nothing.
func (p *Description) withoutAbsent(s *Settings, list diag.List) diag.List {
	if s == nil {
		return list
	}
	absent := func(x Item) bool {
		_, err := fs.Stat(p.places.fsys, x.Text)
		return fs.ValidPath(x.Text) && errors.Is(err, fs.ErrNotExist)
	}
	var gone []Item
	drop := func(items []Item) []Item {
		return slices.DeleteFunc(slices.Clone(items), func(x Item) bool {
			if absent(x) {
				gone = append(gone, x)
				return true
			}
			return false
		})
	}
	s.Inputs = drop(s.Inputs)
	s.Charts = slices.DeleteFunc(slices.Clone(s.Charts), func(c Chart) bool {
		return len(drop([]Item{c.Chart})) == 0
	})
	for i := range s.Charts {
		s.Charts[i].Values = drop(s.Charts[i].Values)
	}
	s.Kustomizations = slices.DeleteFunc(slices.Clone(s.Kustomizations), func(k Kustomization) bool {
		return len(drop([]Item{k.Dir})) == 0
	})
	list = slices.DeleteFunc(list, func(d *diag.Diagnostic) bool {
		return d.Code == CodePath && slices.ContainsFunc(gone, func(x Item) bool { return x.At == d.At })
	})
	if len(list) == 0 {
		return nil
	}
	return list
}
