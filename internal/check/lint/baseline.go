package lint

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"

	"weft/internal/lang/diag"
)

// Baseline counts the known findings by rule, file and text of the line, so that a line may move
// without becoming a new finding.
type Baseline map[string]int

// baselineHeader is the first line of a baseline file.
const baselineHeader = "# findings that weft lint knows of: number, rule, file, line of text"

// ParseBaseline parses the output of Report.WriteBaseline. name is for messages.
func ParseBaseline(name string, text []byte) (Baseline, error) {
	known := Baseline{}
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, len(text)+1)
	for number := 1; lines.Scan(); number++ {
		line := strings.TrimRight(lines.Text(), "\r")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		count, key, ok := strings.Cut(line, "\t")
		n, err := strconv.Atoi(count)
		if !ok || err != nil || n < 1 || strings.Count(key, "\t") < 2 {
			return nil, diag.Failf(CodeRule,
				"%s:%d: expected a number, a rule, a file and a line of text, separated by tabs",
				diag.Visible(name), number).
				WithHint("remove the file, and weft lint --baseline writes it again")
		}
		known[key] += n
	}
	return known, lines.Err()
}

// WriteBaseline writes the findings for ParseBaseline, and returns their number.
func (r *Report) WriteBaseline(w io.Writer) (int, error) {
	count := map[string]int{}
	var keys []string
	for _, f := range r.Found {
		key := f.key()
		if count[key]++; count[key] == 1 {
			keys = append(keys, key)
		}
	}
	var out bytes.Buffer
	fmt.Fprintln(&out, baselineHeader)
	for _, key := range keys {
		fmt.Fprintf(&out, "%d\t%s\n", count[key], key)
	}
	_, err := w.Write(out.Bytes())
	return len(r.Found), err
}

// Without returns the findings that are not known.
func (r *Report) Without(known Baseline) *Report {
	left := Baseline{}
	for key, n := range known {
		left[key] = n
	}
	out := &Report{}
	for _, f := range r.Found {
		if key := f.key(); left[key] > 0 {
			left[key]--
			continue
		}
		out.Found = append(out.Found, f)
	}
	return out
}

// key identifies a finding in a baseline.
func (f Finding) key() string {
	name, text := "", f.Message
	if file := f.Files.File(f.At.Pos); file != nil {
		name = strings.ReplaceAll(file.Shown(), `\`, "/")
		text = f.Files.Concealed(string(file.Text(file.Line(f.At.Offset()))))
		text = strings.TrimSpace(text)
	}
	clean := strings.NewReplacer("\t", " ", "\n", " ", "\r", " ")
	return fmt.Sprintf("%s\t%s\t%s", f.Code, clean.Replace(name), clean.Replace(text))
}
