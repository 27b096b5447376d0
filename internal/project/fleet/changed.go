package fleet

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"slices"
	"strings"

	"weft/internal/engine/emit"
	"weft/internal/engine/load"
	"weft/internal/engine/shortcut"
)

// Kind is what happened to an environment between two sides.
type Kind uint8

// The kinds of changes.
const (
	Modified Kind = iota // its output differs
	Added                // only the second side has it
	Removed              // only the first side has it
	Same                 // it has the same output, or fails on both sides
)

func (k Kind) String() string {
	switch k {
	case Added:
		return "added"
	case Removed:
		return "removed"
	case Same:
		return "same"
	default:
		return "changed"
	}
}

// EnvironmentChange is an environment that two sides render differently, or that fails.
type EnvironmentChange struct {
	Name   string
	Kind   Kind
	Before error // why it could not be rendered on the first side, or nil
	After  error // why it could not be rendered on the second side, or nil
}

// Changed renders the environments of two sides, and returns those whose output differs, sorted by
// name: exactly those for which separate runs give different bytes. An environment that fails has no
// output, so if it fails on only one side, it has changed. If it fails on both sides, it is Same, and
// listed because of its errors.
//
// Only a digest of each result is kept, so memory grows by a few bytes for each environment.
func Changed(ctx context.Context, before, after Runs) ([]EnvironmentChange, error) {
	first, err := before.digests(shortcut.WithTally(ctx, nil)) // only the second side is judged
	if err != nil {
		return nil, err
	}
	second, err := after.digests(ctx)
	if err != nil {
		return nil, err
	}
	position := make(map[string]int, len(before.Names))
	for i, name := range before.Names {
		position[name] = i
	}
	var list []EnvironmentChange
	for i, name := range after.Names {
		c := EnvironmentChange{Name: name, Kind: Added, After: second.errs[i]}
		if j, ok := position[name]; ok {
			delete(position, name)
			c.Kind, c.Before = Same, first.errs[j]
			if (c.Before == nil) != (c.After == nil) || first.sums[j] != second.sums[i] {
				c.Kind = Modified
			}
		}
		if c.Kind != Same || c.After != nil {
			list = append(list, c)
		}
	}
	for name, j := range position {
		list = append(list, EnvironmentChange{Name: name, Kind: Removed, Before: first.errs[j]})
	}
	slices.SortFunc(list, func(a, b EnvironmentChange) int { return strings.Compare(a.Name, b.Name) })
	return list, nil
}

// digest identifies the output of an environment.
type digest [sha256.Size]byte

// digests are the digests of the output of each environment of a side. An environment with an error
// has none.
type digests struct {
	sums []digest
	errs []error
}

// digests renders the environments of a side. If the inputs that all share have an error, each
// environment has it.
func (r Runs) digests(ctx context.Context) (digests, error) {
	all := digests{make([]digest, len(r.Names)), make([]error, len(r.Names))}
	err := RenderAll(ctx, r, func(i int, done Rendered) {
		if all.errs[i] = done.Err; done.Err == nil {
			all.sums[i], all.errs[i] = done.Result.digest(r.outputOf(i))
		}
	})
	if err != nil && ctx.Err() == nil {
		for i := range all.errs {
			all.errs[i] = err
		}
		err = nil
	}
	return all, err
}

// digest returns the digest of the output of an environment: of its files, if they are written to a
// directory, and otherwise of what is printed and of its text files, which are not printed. The paths
// of files are part of the digest.
func (r *Result) digest(d Dir) (sum digest, err error) {
	h := digester{sha256.New()}
	h.text([]byte(d.Path))
	h.text([]byte(d.Single))
	var files []emit.File
	switch {
	case d.Path != "" && d.Split != "":
		files, err = r.split(d.Split)
	case d.Path != "" && d.Single == "":
		files = r.files()
	default:
		_, err = r.WriteTo(h)
		for _, out := range r.Outputs {
			if out.File.Input.Type == load.Text {
				files = append(files, emit.File{Path: out.File.Input.Path, Data: []byte(out.Text)})
			}
		}
	}
	for _, f := range files {
		h.text([]byte(f.Path))
		h.text(f.Data)
	}
	h.Sum(sum[:0])
	return sum, r.placed(err)
}

// digester adds texts to a digest.
type digester struct{ hash.Hash }

// text adds a text with its length, so that different lists of texts have different digests.
func (h digester) text(b []byte) {
	var size [8]byte
	binary.LittleEndian.PutUint64(size[:], uint64(len(b)))
	h.Write(size[:])
	h.Write(b)
}
