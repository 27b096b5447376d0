package diag

import "strconv"

// Article returns a noun with its article: "an int". What is not a noun, as null, has none.
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

// Plural returns a noun in the form that goes with a number: "file", or "files".
func Plural(n int, noun string) string {
	switch {
	case n == 1:
		return noun
	case noun == "match":
		return "matches"
	}
	return noun + "s"
}

// Count returns a number of things: "1 file", "3 files".
func Count(n int, noun string) string { return strconv.Itoa(n) + " " + Plural(n, noun) }

// Shortened returns a text of an author as a message quotes it: the beginning of its first line.
func Shortened(s string) string {
	const maxBytes = 60
	for i, n := range s {
		if n < ' ' || i >= maxBytes {
			return s[:i] + "..."
		}
	}
	return s
}
