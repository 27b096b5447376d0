package diag

import "strconv"

// Article returns a noun with its article: "an int". Words that are not nouns, such as null, get
// none.
func Article(noun string) string {
	switch noun {
	case "", "null", "NoneType":
		return noun
	}
	switch noun[0] {
	case 'a', 'e', 'i', 'o', 'u':
		return "an " + noun
	}
	return "a " + noun
}

// Plural returns a noun in the form for n: "file" or "files".
func Plural(n int, noun string) string {
	switch {
	case n == 1:
		return noun
	case noun == "match":
		return "matches"
	}
	return noun + "s"
}

// Count returns a number with a noun: "1 file", "3 files".
func Count(n int, noun string) string { return strconv.Itoa(n) + " " + Plural(n, noun) }

// Shortened shortens text from a file for a message: to the beginning of its first line.
func Shortened(s string) string {
	const maxBytes = 60
	for i, n := range s {
		if n < ' ' || i >= maxBytes {
			return s[:i] + "..."
		}
	}
	return s
}
