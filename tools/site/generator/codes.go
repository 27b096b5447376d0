package main

import (
	"fmt"
	"strings"

	"weft/internal/lang/diag"
)

// describeCodes adds a page for each error code. The texts come from weft's table of codes, and the
// example is the first tested output with the code. A rule of the linter has a page already, to
// which they are added.
func (s *site) describeCodes() error {
	seen := s.examplesOfCodes()
	found, err := messagesOfCodes(s.root)
	if err != nil {
		return err
	}
	var list strings.Builder
	list.WriteString("# Message codes\n\nEvery message ends with a code in brackets, such as " +
		"`[yaml/anchor]`. Each code has a page: what it means, what to do, and where you can see it. " +
		"[Messages](messages.md) describes their form.\n")
	group := ""
	for _, info := range diag.Codes() {
		code := string(info.Code)
		if g, _, _ := strings.Cut(code, "/"); g != group {
			group = g
			fmt.Fprintf(&list, "\n## %s\n\n| code | severity | cause |\n|---|---|---|\n", group)
		}
		fmt.Fprintf(&list, "| [`%s`](codes/%s.md) | %s | %s |\n", code, code, info.Severity, info.Title)
		p := s.bySource["docs/lint/"+code+".md"]
		if p != nil {
			p.text = append(p.text, ruleText(info, seen[code])...)
		} else {
			p = &page{source: "docs/reference/codes/" + code + ".md", hidden: true, title: code}
			p.url = pageURL(p.source)
			p.text = []byte(codeText(info, seen[code]))
			s.pages = append(s.pages, p)
		}
		if example := seen[code]; example != nil {
			p.runs = []run{example.run}
		}
		p.messages = found[info.Code]
		p.headings = nil
		if err := p.parse(); err != nil {
			return err
		}
		p.blocks = p.blocksOf()
		s.bySource["docs/reference/codes/"+code+".md"] = p
	}
	part := s.bySource["docs/reference/messages.md"].section
	for _, p := range []*page{
		{source: "docs/reference/codes.md", text: []byte(list.String())},
		{source: "docs/reference/lint-rules.md", text: []byte(s.ruleList())},
	} {
		p.url, p.section = pageURL(p.source), part
		if err := p.parse(); err != nil {
			return err
		}
		s.pages = append(s.pages, p)
		s.bySource[p.source] = p
		part.pages = append(part.pages, p)
	}
	return nil
}

// shown is a tested example and the page that has it.
type shown struct {
	run  run
	page *page
}

// examplesOfCodes finds a tested example for each code.
func (s *site) examplesOfCodes() map[string]*shown {
	seen := map[string]*shown{}
	for _, p := range s.pages {
		for _, r := range p.runs {
			for _, info := range diag.Codes() {
				code := string(info.Code)
				if seen[code] == nil && strings.Contains(r.output, " ["+code+"]\n") {
					seen[code] = &shown{r, p}
				}
			}
		}
	}
	return seen
}

// codeText returns the page of a code, as Markdown.
func codeText(info diag.Info, example *shown) string {
	up := "../" + strings.Repeat("../", strings.Count(string(info.Code), "/"))
	return fmt.Sprintf("# %s\n\n%s.\n\n**Severity:** %s\n\n**What to do:** %s.\n\n%sAll codes are [listed](%scodes.md).\n",
		info.Code, capital(relink(info.Title, up)), info.Severity, relink(info.Doc, up), exampleText(example, up), up)
}

// ruleText returns what follows on the page of a rule of the linter, which is the page of its code, too.
func ruleText(info diag.Info, example *shown) string {
	const up = "../../reference/"
	return fmt.Sprintf("\n%s**Severity:** %s. `weft lint` finds it. All rules are [listed](%slint-rules.md), and all "+
		"[codes](%scodes.md).\n", exampleText(example, up), info.Severity, up, up)
}

// exampleText returns a section with a tested example, or "" if there is none. The pages of the reference are at
// the path up.
func exampleText(example *shown, up string) string {
	if example == nil {
		return ""
	}
	var b strings.Builder
	rel := up + "../" + strings.TrimPrefix(example.page.source, "docs/")
	if !strings.HasPrefix(example.page.source, "docs/") {
		rel = up + "../../" + example.page.source
	}
	fmt.Fprintf(&b, "## Example\n\nFrom the page [%s](%s):\n\n", example.page.title, rel)
	for _, name := range sortedKeys(example.run.files) {
		fmt.Fprintf(&b, "<!-- example: %s -->\n\n%s\n", name, fence(name, example.run.files[name]))
	}
	fmt.Fprintf(&b, "<!-- output: weft %s -->\n\n%s\n", strings.Join(example.run.args, " "),
		fence("x.txt", example.run.output))
	return b.String()
}

// ruleList returns the page that lists the rules of the linter.
func (s *site) ruleList() string {
	var b strings.Builder
	b.WriteString("# Lint rules\n\n`weft lint` finds likely mistakes. Each rule has a page with a bad and a " +
		"good example. [Find likely mistakes](../guides/lint.md) describes the command.\n")
	group := ""
	for _, p := range s.pages {
		code, ok := strings.CutPrefix(strings.TrimSuffix(p.source, ".md"), "docs/lint/")
		if !ok {
			continue
		}
		if g, _, _ := strings.Cut(code, "/"); g != group {
			group = g
			fmt.Fprintf(&b, "\n## %s\n\n| rule | severity | finds |\n|---|---|---|\n", group)
		}
		info, _ := diag.About(diag.Code(code))
		fmt.Fprintf(&b, "| [`%s`](../lint/%s.md) | %s | %s |\n", code, code, info.Severity, info.Title)
	}
	return b.String()
}

// relink adapts the links of a reference page to a page one level below.
func relink(text, up string) string {
	return mdLink.ReplaceAllString(text, "]("+up+"$1)")
}

// capital returns a sentence with its first letter in upper case, unless it starts with code.
func capital(s string) string {
	if s != "" && s[0] >= 'a' && s[0] <= 'z' {
		return strings.ToUpper(s[:1]) + s[1:]
	}
	return s
}

// fence returns a fenced code block, with a fence longer than any in the code.
func fence(name, data string) string {
	marks := "```"
	for strings.Contains(data, marks) {
		marks += "`"
	}
	if !strings.HasSuffix(data, "\n") {
		data += "\n"
	}
	return marks + language(name) + "\n" + data + marks + "\n"
}

// language returns the name of the language of a file, as Markdown writes it.
func language(name string) string {
	switch {
	case strings.HasSuffix(name, ".yml"), strings.HasSuffix(name, ".yaml"):
		return "yaml"
	case strings.HasSuffix(name, ".star"):
		return "python"
	case strings.HasSuffix(name, ".json"):
		return "json"
	}
	return "text"
}
