package diag

import "strings"

// longestName is the maximum length of a name for a comparison: longer strings are texts.
const longestName = 100

// Nearest returns the name that s is most likely a misspelling of, or "" if none is similar.
func Nearest(s string, names []string) string {
	if len(s) > longestName {
		return ""
	}
	best, least := "", max(1, len(s)/3)+1
	for _, name := range names {
		if len(name)-len(s) >= least || len(s)-len(name) >= least {
			continue // the lengths alone differ too much
		}
		d := distance(s, name)
		// Among equally similar names, prefer one with the same first letter: people rarely get that
		// wrong.
		alike := d == least && best != "" && best[0] != s[0] && name != "" && name[0] == s[0]
		if d < least || alike {
			best, least = name, d
		}
	}
	return best
}

// NearestPath is like Nearest for a path, which may lack its beginning.
func NearestPath(path string, known []string) string {
	for _, way := range known {
		if strings.HasSuffix(way, "."+path) {
			return way
		}
	}
	return Nearest(path, known)
}

// WithNearest replaces the hint with "did you mean NAME?" if one of the names is similar to word.
func (d *Diagnostic) WithNearest(word string, names []string) *Diagnostic {
	return d.WithNearestAs("%s", word, names)
}

// WithNearestAs is like WithNearest, but writes the name as format says, such as --%s.
func (d *Diagnostic) WithNearestAs(format, word string, names []string) *Diagnostic {
	if near := Nearest(word, names); near != "" {
		d.WithHint("did you mean "+format+"?", near)
	}
	return d
}

// Misspells reports whether typing word is surely a slip for name: two neighbors are swapped, or one letter
// inside is missing or extra. At the ends of words, one letter more often makes another word, such as hosts,
// enabled, httpsPort or oauth, unless it is doubled.
func Misspells(word, name string) bool {
	const shortest = 4
	long, short := word, name
	if len(long) < len(short) {
		long, short = short, long
	}
	if len(long) < shortest {
		return false
	}
	i := 0
	for i < len(short) && long[i] == short[i] {
		i++
	}
	switch len(long) - len(short) {
	case 0:
		return i+1 < len(long) && isLetter(long, i) && isLetter(long, i+1) &&
			long[i] == short[i+1] && long[i+1] == short[i] && long[i+2:] == short[i+2:]
	case 1:
		inside := i > 0 && isLetter(long, i-1) && isLower(long, i+1)
		doubled := i > 0 && long[i] == long[i-1] && long[i] != 's'
		return long[i+1:] == short[i:] && isLetter(long, i) && (inside || doubled)
	}
	return false
}

func isLower(s string, i int) bool { return i < len(s) && s[i] >= 'a' && s[i] <= 'z' }

func isLetter(s string, i int) bool {
	return isLower(s, i) || i < len(s) && s[i] >= 'A' && s[i] <= 'Z'
}

// distance counts the letters to add, drop, change or swap with their neighbor to turn a into b.
func distance(a, b string) int {
	older, old, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		old[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			row[j] = min(old[j]+1, row[j-1]+1, old[j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], older[j-2]+1)
			}
		}
		older, old, row = old, row, older
	}
	return old[len(b)]
}
