package shell

import (
	"maps"
	"strings"
)

// Command is a simple command of a script: its words, and the file that its output goes to.
type Command struct {
	Line   int
	Words  []Word
	Output *Word
	Piped  bool // another command reads its output
}

// Commands returns the simple commands of a script, in order. It supports as much of the shell as
// command lines of ytt need: quotes, variables with constant values, continued lines, comments, pipes
// and redirects. Nothing is run. The prefixes of make are removed from commands that wanted accepts.
func Commands(script string, wanted func(name string) bool) []Command {
	s := scanner{
		text: strings.ReplaceAll(script, "\r\n", "\n"), between: " \t\n|&;()<>", line: 1,
		set: map[string]string{}, wanted: wanted,
	}
	s.scan()
	return s.done
}

type scanner struct {
	text    string
	between string // the characters that end a word
	pos     int
	line    int
	set     map[string]string // variables with constant values; nil for no expansion
	wanted  func(name string) bool

	current Command
	done    []Command
	err     *Unfinished // the first error
}

func (s *scanner) scan() {
	for s.pos < len(s.text) {
		switch c := s.text[s.pos]; {
		case c == '\n':
			s.end(false)
			s.pos++
			s.line++
		case c == ' ' || c == '\t':
			s.pos++
		case strings.HasPrefix(s.text[s.pos:], "\\\n"):
			s.pos += 2
			s.line++
		case c == '#':
			s.skipLine()
		case c == '|' && !strings.HasPrefix(s.text[s.pos:], "||"):
			s.end(true)
			s.pos++
		case strings.IndexByte("|&;(){}", c) >= 0 && s.operator(c):
			s.end(false)
			s.pos++
		case c == '>':
			s.redirect()
		case c == '<':
			s.input()
		default:
			s.word()
		}
	}
	s.end(false)
}

// operator reports whether a character ends a command. A brace does so only if it is a word by
// itself.
func (s *scanner) operator(c byte) bool {
	if c != '{' && c != '}' {
		return true
	}
	next := s.pos + 1
	return next == len(s.text) || strings.IndexByte(" \t\n;", s.text[next]) >= 0
}

func (s *scanner) skipLine() {
	for s.pos < len(s.text) && s.text[s.pos] != '\n' {
		s.pos++
	}
}

// word adds the next word to the current command.
func (s *scanner) word() {
	line := s.line
	w, ok := s.readWord()
	if !ok {
		s.pos++ // skip the character, whatever it is
		return
	}
	if w.Plain && (w.Text == "1" || w.Text == "2") && s.pos < len(s.text) && s.text[s.pos] == '>' {
		if w.Text == "2" { // standard error is not output
			s.pos++
			for s.pos < len(s.text) && strings.IndexByte(">& ", s.text[s.pos]) >= 0 {
				s.pos++
			}
			s.readWord()
		}
		return
	}
	if len(s.current.Words) == 0 {
		if name, value, found := strings.Cut(w.Text, "="); found && isName(strings.TrimRight(name, ":?")) {
			w.Text = value
			s.assign(strings.TrimRight(name, ":?"), w)
			return
		}
		if w.Plain {
			w.Text = s.withoutPrefix(w.Text)
		}
		if w.Plain && isKeyword(w.Text) {
			return
		}
		s.current.Line = line
	}
	s.current.Words = append(s.current.Words, w)
}

// assign records a variable that is set to a constant.
func (s *scanner) assign(name string, value Word) {
	if value.Variable == "" {
		s.set[name] = value.Text
	} else {
		delete(s.set, name)
	}
}

// withoutPrefix returns a command without the prefixes of make: `@` to run silently, `-` to ignore
// errors, `+` to run even with `make -n`.
func (s *scanner) withoutPrefix(name string) string {
	if rest := strings.TrimLeft(name, "@-+"); rest == "" || s.wanted(rest) {
		return rest
	}
	return name
}

func isKeyword(s string) bool {
	switch s {
	case "", "shell", "if", "then", "else", "elif", "while", "until", "do", "time", "exec", "!",
		"export", "eval", "command", "env", "sudo", "local", "readonly":
		return true
	}
	return false
}

func isName(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c != '_' && (c|0x20 < 'a' || c|0x20 > 'z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

// redirect reads the file that output is redirected to.
func (s *scanner) redirect() {
	for s.pos < len(s.text) && strings.IndexByte("> \t|", s.text[s.pos]) >= 0 {
		s.pos++
	}
	if s.pos < len(s.text) && s.text[s.pos] == '&' {
		s.pos++
		s.readWord()
		return
	}
	if w, ok := s.readWord(); ok {
		s.current.Output = &w
	}
}

// input skips the source of the input: a file, a here-document, or a command.
func (s *scanner) input() {
	if rest := s.text[s.pos:]; strings.HasPrefix(rest, "<<") && !strings.HasPrefix(rest, "<<<") {
		s.pos += 2
		s.hereDocument()
		return
	}
	if strings.HasPrefix(s.text[s.pos:], "<(") { // the output of a command, as a file
		start := s.pos
		s.pos++
		text := s.substituted()
		s.current.Words = append(s.current.Words, Word{Text: s.text[start:s.pos], Variable: "<" + text})
		return
	}
	for s.pos < len(s.text) && strings.IndexByte("< \t", s.text[s.pos]) >= 0 {
		s.pos++
	}
	s.readWord()
}

// hereDocument skips a here-document, up to the line that ends it.
func (s *scanner) hereDocument() {
	if s.pos < len(s.text) && s.text[s.pos] == '-' {
		s.pos++
	}
	w, _ := s.readWord()
	rest := s.text[s.pos:]
	lineEnd := strings.IndexByte(rest, '\n')
	if lineEnd < 0 {
		return
	}
	body, cut := rest[lineEnd+1:], 0
	for line := range strings.Lines(body) {
		cut += len(line)
		if strings.TrimSpace(line) == w.Text {
			break
		}
	}
	s.line += strings.Count(body[:cut], "\n")
	s.text = s.text[:s.pos] + rest[:lineEnd+1] + body[cut:]
}

// readWord reads a word, with quotes removed and constant variables expanded.
func (s *scanner) readWord() (Word, bool) {
	w := Word{Plain: true, Column: s.pos + 1}
	var b strings.Builder
	start := s.pos
	for s.pos < len(s.text) {
		c := s.text[s.pos]
		switch {
		case strings.HasPrefix(s.text[s.pos:], "\\\n"):
			s.pos += 2
			s.line++
		case strings.IndexByte(s.between, c) >= 0:
			w.Text = b.String()
			return w, s.pos > start
		case c == '\\' && s.pos+1 < len(s.text):
			w.Plain = false
			b.WriteByte(s.text[s.pos+1])
			s.pos += 2
		case c == '\'':
			w.Plain = false
			end := strings.IndexByte(s.text[s.pos+1:], '\'')
			if end < 0 {
				s.unfinished(s.pos)
				end = len(s.text) - s.pos - 1
			}
			quoted := s.text[s.pos+1 : s.pos+1+end]
			b.WriteString(quoted)
			s.line += strings.Count(quoted, "\n")
			s.pos = min(len(s.text), s.pos+end+2)
		case c == '"':
			w.Plain = false
			s.doubleQuoted(&b, &w)
		case s.set != nil && (c == '$' || c == '`'):
			s.expand(&b, &w)
		default:
			if c == '\\' { // a backslash is the last character
				s.unfinished(s.pos)
			}
			b.WriteByte(c)
			s.pos++
		}
	}
	w.Text = b.String()
	return w, s.pos > start
}

func (s *scanner) doubleQuoted(b *strings.Builder, w *Word) {
	open := s.pos
	for s.pos++; s.pos < len(s.text); {
		switch c := s.text[s.pos]; {
		case c == '"':
			s.pos++
			return
		case c == '\\' && s.pos+1 < len(s.text):
			if strings.IndexByte("\"\\$`\n", s.text[s.pos+1]) < 0 {
				b.WriteByte(c)
			}
			if s.text[s.pos+1] != '\n' {
				b.WriteByte(s.text[s.pos+1])
			} else {
				s.line++
			}
			s.pos += 2
		case s.set != nil && (c == '$' || c == '`'):
			s.expand(b, w)
		default:
			if c == '\n' {
				s.line++
			}
			b.WriteByte(c)
			s.pos++
		}
	}
	s.unfinished(open)
}

// unfinished records that the quote at a place is not closed, or that nothing follows the
// backslash.
func (s *scanner) unfinished(at int) {
	if s.err == nil {
		s.err = &Unfinished{s.text[at], at + 1}
	}
}

// expand reads a variable or a command substitution. Constants are expanded; anything else is
// recorded.
func (s *scanner) expand(b *strings.Builder, w *Word) {
	start := s.pos
	note := func() {
		text := s.text[start:s.pos]
		b.WriteString(text)
		if w.Variable == "" {
			w.Variable = text
		}
	}
	rest := s.text[s.pos:]
	switch {
	case rest[0] == '`':
		inner, _, _ := strings.Cut(rest[1:], "`")
		s.pos = min(len(s.text), start+len(inner)+2)
		s.commandsOf(inner, s.line)
		s.line += strings.Count(inner, "\n")
		note()
	case strings.HasPrefix(rest, "$("):
		s.pos++
		text := s.substituted()
		if value, ok := s.set[text[1:max(1, len(text)-1)]]; ok { // a variable of make
			b.WriteString(value)
			return
		}
		note()
	case strings.HasPrefix(rest, "${"):
		end := strings.IndexByte(rest, '}')
		if end < 0 {
			end = len(rest) - 1
		}
		s.pos += end + 1
		if value, ok := s.set[rest[2:end]]; ok {
			b.WriteString(value)
			return
		}
		note()
	default:
		n := 1
		for n < len(rest) && isName("x"+rest[1:n+1]) {
			n++
		}
		if n == 1 && len(rest) > 1 && strings.IndexByte("@*#?$!-0123456789", rest[1]) >= 0 {
			n = 2
		}
		s.pos += n
		if value, ok := s.set[rest[1:n]]; ok && n > 1 {
			b.WriteString(value)
			return
		}
		if n == 1 {
			b.WriteByte('$')
			return
		}
		note()
	}
}

// substituted skips a command substitution, and returns it with its parentheses.
func (s *scanner) substituted() string {
	line := s.line
	text := s.parenthesized()
	s.commandsOf(strings.TrimSuffix(text[1:], ")"), line)
	return text
}

// commandsOf adds the commands in a part of the current command, because a shell runs them before it.
func (s *scanner) commandsOf(text string, line int) {
	inner := scanner{text: text, between: s.between, line: line, set: maps.Clone(s.set), wanted: s.wanted}
	inner.scan()
	s.done = append(s.done, inner.done...)
}

// parenthesized skips text in parentheses, and returns it.
func (s *scanner) parenthesized() string {
	start, depth := s.pos, 0
	for s.pos < len(s.text) {
		switch s.text[s.pos] {
		case '(':
			depth++
		case ')':
			depth--
		case '\n':
			s.line++
		}
		s.pos++
		if depth == 0 {
			break
		}
	}
	return s.text[start:s.pos]
}

// end ends the current command.
func (s *scanner) end(piped bool) {
	if w := s.current.Words; len(w) == 3 && isName(w[0].Text) && isAssignment(w[1].Text) {
		s.assign(w[0].Text, w[2])
	} else if len(w) > 0 {
		s.current.Piped = piped
		s.done = append(s.done, s.current)
	}
	s.current = Command{}
}

// isAssignment reports whether a word sets a variable of make.
func isAssignment(s string) bool { return s == "=" || s == ":=" || s == "::=" || s == "?=" }
