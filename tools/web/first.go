package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"html"
	"strings"

	"weft/internal/serve/playground"
	"weft/tools/highlight"
)

// firstPaint writes the first example into the page: its files, its values and its output. The page is then
// complete when it is first shown, and can be read without JavaScript. The script replaces these elements by
// those that can be edited, which have the same size.
func (b *builder) firstPaint() error {
	x := &b.list[0]
	form, err := x.form()
	if err != nil {
		return err
	}
	open := x.Files[0]
	var tabs strings.Builder
	for _, f := range x.Files {
		if f.Path == x.Open {
			open = f
		}
		fmt.Fprintf(&tabs, `<button role="tab" aria-selected="%v" disabled>%s</button>`,
			f.Path == x.Open, html.EscapeString(f.Path))
	}
	chips := ""
	for _, text := range []string{"Break it", "Override it", "Explain it"} { // as in src/projects.js
		chips += `<button class="chip" disabled>` + text + `</button>`
	}
	for _, part := range [][2]string{
		{`<p id="intro-text">`, inline(x.Text)},
		{`<span id="chips">`, chips},
		{`<div id="tabs" role="tablist" aria-label="Files">`, tabs.String()},
		{`<div id="editor" role="tabpanel">`, numbered("Contents of "+open.Path, open.Data)},
		{`<form id="form" autocomplete="off">`, form},
		{`<div id="output">`, numbered("Output", x.Output)},
	} {
		if bytes.Count(b.files["index.html"], []byte(part[0]+"<")) != 1 {
			return fmt.Errorf("index.html has no empty element %s", part[0])
		}
		b.files["index.html"] = bytes.Replace(b.files["index.html"], []byte(part[0]), []byte(part[0]+part[1]), 1)
	}
	b.replace(`<details id="values">`, `<details id="values" class="first-values" open>`)
	return nil
}

// inline returns a text as HTML. Its parts in backquotes are code.
func inline(text string) string {
	parts := strings.Split(html.EscapeString(text), "`")
	for i := 1; i < len(parts); i += 2 {
		parts[i] = "<code>" + parts[i] + "</code>"
	}
	return strings.Join(parts, "")
}

// numbered returns YAML in colors, with the numbers of its lines, as the editor shows it.
func numbered(label, text string) string {
	lines := strings.Split(highlight.HTML("yaml", text), "\n")
	for i, line := range lines {
		lines[i] = `<span class="first-line">` + line + "</span>"
	}
	return fmt.Sprintf(`<pre class="first" tabindex="0" aria-label="%s"><code>%s</code></pre>`,
		html.EscapeString(label), strings.Join(lines, "\n"))
}

// form returns the form of the data values, as src/form.js makes it.
func (x *example) form() (string, error) {
	req := playground.Request{Files: x.Files, Want: []string{"form"}}
	res := playground.Run(context.Background(), req, x.limits())
	if res.Form == nil {
		return "", fmt.Errorf("%s has no form: %+v", x.ID, res.Diagnostics)
	}
	var schema struct{ Properties json.RawMessage }
	var values map[string]any
	if err := json.Unmarshal(res.Form.Schema, &schema); err != nil {
		return "", err
	}
	if err := json.Unmarshal(res.Form.Values, &values); err != nil {
		return "", err
	}
	var b strings.Builder
	err := eachProperty(schema.Properties, func(name string, p property) {
		b.WriteString(p.field(name, values[name]))
	})
	return b.String(), err
}

// property is the schema of a data value.
type property struct{ Type, Description string }

// eachProperty calls a function for the properties of a JSON Schema, in their order.
func eachProperty(properties json.RawMessage, call func(name string, p property)) error {
	d := json.NewDecoder(bytes.NewReader(properties))
	if _, err := d.Token(); err != nil {
		return err
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		var p property
		if err := d.Decode(&p); err != nil {
			return err
		}
		call(fmt.Sprint(name), p)
	}
	return nil
}

// field returns the field of a data value, which cannot be changed yet.
func (p property) field(name string, value any) string {
	id, class := html.EscapeString("value-"+name), "field "
	input := fmt.Sprintf(`type="text" value="%s"`, html.EscapeString(fmt.Sprint(value)))
	switch p.Type {
	case "integer", "number":
		input = fmt.Sprintf(`type="number" value="%v"`, value)
	case "boolean":
		class, input = "field check", `type="checkbox"`
		if value == true {
			input += " checked"
		}
	}
	note := ""
	if p.Description != "" {
		note = `<small class="note">` + html.EscapeString(p.Description) + `</small>`
	}
	return fmt.Sprintf(`<div class="%s"><label for="%s">%s</label><input id="%s" %s disabled>`+
		`<button type="button" class="quiet reset" disabled>↺</button>%s</div>`,
		class, id, html.EscapeString(name), id, input, note)
}
