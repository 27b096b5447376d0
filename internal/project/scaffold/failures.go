package scaffold

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"weft/internal/project/engines/wire"
)

// failures are the sources of a draft that cannot be built, and those with random results.
type failures struct {
	byCode map[string][]string
	other  []string
	random []string
}

// reasonFor returns why many sources of a repository cannot be built, by the code of an error; or "".
func reasonFor(code string) string {
	switch code {
	case wire.CodeDependency:
		return "charts whose dependencies are missing in charts/ (`helm dependency build` puts them there)"
	case wire.CodeRemote:
		return "kustomizations that build on other repositories (`weft vendor` keeps copies)"
	case wire.CodePlugin:
		return "kustomizations with plugins or functions, which weft does not run"
	case wire.CodeHelm:
		return "kustomizations that render charts (add the charts to the key `charts`)"
	case wire.CodeMissing:
		return "kustomizations that name files that do not exist"
	case wire.CodeLibrary:
		return "library charts, which cannot be rendered"
	}
	return ""
}

// add adds a source that cannot be built.
func (f *failures) add(s source, err *wire.Error) {
	if f.byCode == nil {
		f.byCode = map[string][]string{}
	}
	name := s.dir
	if name == "" {
		name = s.name
	}
	if reasonFor(err.Code) != "" {
		f.byCode[err.Code] = addOnce(f.byCode[err.Code], name)
		return
	}
	message := strings.Join(strings.Fields(err.Message), " ")
	if at := place(err); at != "" {
		message = at + ": " + message
	}
	f.other = addOnce(f.other, name+": "+message)
}

// place returns the file and the line of an error, or "".
func place(err *wire.Error) string {
	if err.File == "" || err.Line == 0 {
		return err.File
	}
	return fmt.Sprintf("%s:%d", err.File, err.Line)
}

// notes returns what is left out, and why: one note for all sources with the same reason.
func (f *failures) notes() []Note {
	var notes []Note
	for _, code := range slices.Sorted(maps.Keys(f.byCode)) {
		notes = append(notes, Note{Text: "left out " + reasonFor(code) + ": " + SomeOf(f.byCode[code])})
	}
	for _, text := range f.other[:min(len(f.other), maxNames)] {
		notes = append(notes, Note{Text: "left out, since it does not render: " + text})
	}
	if n := len(f.other) - maxNames; n > 0 {
		notes = append(notes, Note{Text: fmt.Sprintf("left out, since they do not render: %d more", n)})
	}
	if len(f.random) > 0 {
		notes = append(notes, Note{Text: "`random: seeded` makes passwords and keys of these charts predictable; " +
			"set their values, if they are used: " + SomeOf(f.random)})
	}
	return notes
}
