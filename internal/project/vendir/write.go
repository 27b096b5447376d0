package vendir

import (
	"bytes"
	"strings"

	"weft/internal/lang/yaml"
)

// Text returns the sources as the key `vendor` of weft.yml.
func (r *Result) Text() []byte {
	var b bytes.Buffer
	b.WriteString("vendor:\n")
	for _, s := range r.Sources {
		b.WriteString("  " + scalar(s.Name) + ":\n")
		for _, f := range s.fields() {
			b.WriteString("    " + f.key + ":")
			if f.list == nil {
				b.WriteString(" " + scalar(f.text))
			}
			if f.comment != "" {
				b.WriteString(" # " + f.comment)
			}
			b.WriteByte('\n')
			for _, item := range f.list {
				b.WriteString("    - " + scalar(item) + "\n")
			}
		}
	}
	return b.Bytes()
}

// field is a key of a source.
type field struct {
	key, text, comment string
	list               []string
}

func (s *Source) fields() []field {
	all := []field{
		{key: s.Kind, text: s.From},
		{key: "name", text: s.Chart},
		{key: "version", text: s.Version},
		{key: "sha256", text: s.SHA256},
		{key: "paths", list: s.Paths},
		{key: "exclude", list: s.Exclude},
	}
	if s.Range != "" {
		all[2].comment = "vendir.yml: " + strings.Join(strings.Fields(s.Range), " ")
	}
	var fields []field
	for _, f := range all {
		if f.text != "" || f.list != nil {
			fields = append(fields, f)
		}
	}
	return fields
}

// scalar returns a text as YAML that stays a text.
func scalar(text string) string {
	return string(yaml.AppendString(nil, []byte(text), 6))
}
