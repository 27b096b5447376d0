package migrate

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"

	"weft/internal/lang/diag"
	"weft/internal/lang/edit"
	"weft/internal/lang/yaml"
)

// scalars rewrites the scalars that the two schemas read differently, so that both read what the
// first one did.
func scalars(t *yaml.Tree, opt Options) (changes []edit.Splice, problems diag.List) {
	if opt.From.Schema == opt.To.Schema {
		return nil, nil
	}
	for n := range yaml.NodeID(t.Len()) {
		if t.Kind(n) != yaml.Scalar || t.Style(n) != yaml.Plain && !t.HasTag(n) {
			continue
		}
		more, problem := scalar(t, n, opt)
		if changes = append(changes, more...); problem != nil {
			problems = append(problems, problem)
		}
	}
	return changes, problems
}

// scalar writes one scalar.
func scalar(t *yaml.Tree, n yaml.NodeID, opt Options) ([]edit.Splice, *diag.Diagnostic) {
	text, tag, plain := t.Text(n), t.Tag(n), t.Style(n) == yaml.Plain
	was, binary, err := opt.From.Schema.ResolveTagged(tag, text, plain)
	if err != nil {
		return nil, nil // invalid scalars cannot be used anyway
	}
	is, other, err := opt.To.Schema.ResolveTagged(tag, text, plain)
	if err == nil && was == is && bytes.Equal(binary, other) {
		return nil, nil
	}
	at := t.Span(n)
	if binary != nil {
		return decoded(t, n, binary)
	}
	written := literal(was, text)
	if opt.From.Schema.Resolve(written) != was || opt.To.Schema.Resolve(written) != was {
		if was.Kind != yaml.String {
			return nil, diag.Errorf(at, CodeCannot, "YAML 1.2 has no way to write `%s`", text)
		}
		written = append(append([]byte{'"'}, text...), '"') // text without other quotes in it
	}
	return []edit.Splice{{From: at.Offset(), To: at.End(), Text: string(written)}}, nil
}

// changedKeys reports keys that are rewritten: someone who wrote `on` may have meant the text.
func changedKeys(t *yaml.Tree, changes []edit.Splice) (warnings diag.List) {
	if len(changes) == 0 {
		return nil
	}
	anew := map[int]string{}
	for _, c := range changes {
		anew[c.From] = c.Text
	}
	for m := range yaml.NodeID(t.Len()) {
		if t.Kind(m) != yaml.Mapping {
			continue
		}
		for key := range t.Pairs(m) {
			at := t.Span(key)
			text, changed := anew[at.Offset()]
			if !changed || t.Kind(key) != yaml.Scalar || text == `"`+string(t.Text(key))+`"` {
				continue
			}
			warnings = append(warnings, diag.Warningf(at, CodeKey,
				"the key `%s` is written as `%s`, which is how edition ytt reads it", t.Text(key), text).
				WithHint("if the text is meant, put the key in quotes first"))
		}
	}
	return warnings
}

// literal returns how both schemas write a value, or the text itself of a string.
func literal(v yaml.Value, text []byte) []byte {
	if v.Kind == yaml.String {
		return text
	}
	written := yaml.AppendValue(nil, v, nil, 0)
	if v.Kind == yaml.Float && yaml.Core.Resolve(written).Kind != yaml.Float {
		written = append(written, ".0"...)
	}
	return written
}

// decoded writes a !!binary, which YAML 1.2 does not have, as its decoded text.
func decoded(t *yaml.Tree, n yaml.NodeID, data []byte) ([]edit.Splice, *diag.Diagnostic) {
	at, tag := t.Span(n), t.TagSpan(n)
	if !utf8.Valid(data) {
		return nil, diag.Errorf(at, CodeCannot, "YAML 1.2 has no !!binary, and this one is not text").
			WithHint("decode it in a template, with base64.decode of @ytt:base64")
	}
	quoted, err := json.Marshal(string(data)) // JSON strings are valid YAML
	if err != nil {
		return nil, diag.Errorf(at, CodeCannot, "%s", err)
	}
	end := tag.End()
	for src := t.File().Data(); end < len(src) && (src[end] == ' ' || src[end] == '\t'); {
		end++
	}
	return []edit.Splice{
		{From: tag.Offset(), To: end},
		{From: at.Offset(), To: at.End(), Text: string(quoted)},
	}, nil
}
