package project

// Shape is what a value of weft.yml must look like.
type Shape struct {
	Kind     Kind
	Item     *Shape   // of the elements of a List, or the values of a Map
	Keys     []Key    // of a Record
	Required []string // keys that a Record must have
	Excluded []string // keys of which a Record may have one only
	Choices  []string // the words that a Choice may be
	Either   []*Shape // the alternatives of an Either, of which a value has one
	Flags    bool     // the keys of a Record are flags
	Pattern  string   // what a Text must match, if it is not empty
	Expected string   // what messages call it, if the kind does not say it
}

// Kind is the kind of a Shape.
type Kind uint8

// The kinds.
const (
	Text         Kind = iota // a string that is not empty
	Bool                     // true or false
	True                     // true
	Percent                  // an integer from 0 to 100
	Count                    // an integer of at least 1
	Choice                   // one of some words
	Version                  // one of some numbers, also as text
	EditionKind              // 2026 or ytt
	Release                  // text that matches Pattern, also if it looks like a number: 1.30
	List                     // a list of Item
	Map                      // a mapping with any keys, and values of the shape Item
	Record                   // a mapping with Keys
	AnyMap                   // a mapping of anything
	Environments             // a mapping of names to records of EnvironmentKeys
	Either                   // one of several shapes
)

// What names of environments look like: they are arguments of commands and names of directories.
// One star makes a family of environments: see keyEach.
const (
	nameChars     = `\p{L}\p{N}._-`
	namePattern   = `^[\p{L}\p{N}_][` + nameChars + `]*$`
	familyPattern = `^([\p{L}\p{N}_][` + nameChars + `]*)?\*[` + nameChars + `]*$`
)

func text() *Shape    { return &Shape{Kind: Text} }
func boolean() *Shape { return &Shape{Kind: Bool} }

func filePath() *Shape {
	return &Shape{Kind: Text, Pattern: `^[^\\]+$`, Expected: "a path with forward slashes"}
}

// input returns what -f takes.
func input() *Shape { return filePath() }

func outputPath() *Shape {
	return &Shape{
		Kind: Text, Pattern: `^([^{}\\]|\{env\})+$`,
		Expected: "a path with forward slashes, in which only {env} is in braces",
	}
}

func name() *Shape {
	return &Shape{Kind: Text, Pattern: namePattern, Expected: "the name of an environment"}
}

func prefix() *Shape {
	return &Shape{Kind: Text, Pattern: `^[A-Za-z0-9_.-]+$`, Expected: "a prefix of environment variables"}
}

// kubernetesVersion returns a version of Kubernetes: see kubernetes.CheckVersion.
func kubernetesVersion() *Shape {
	return &Shape{
		Kind: Release, Pattern: `^(v?[0-9]{1,9}(\.[0-9]{1,9}){1,2}|master)$`,
		Expected: "a version of Kubernetes such as 1.31",
	}
}

func choice(words ...string) *Shape { return &Shape{Kind: Choice, Choices: words} }
func list(item *Shape) *Shape       { return &Shape{Kind: List, Item: item} }
func mapOf(value *Shape) *Shape     { return &Shape{Kind: Map, Item: value} }
func record(keys ...Key) *Shape     { return &Shape{Kind: Record, Keys: keys} }

func either(expected string, shapes ...*Shape) *Shape {
	return &Shape{Kind: Either, Either: shapes, Expected: expected}
}

func oneOrMore(item *Shape) *Shape {
	return either(item.expected()+", or a list of them", item, list(item))
}

func (s *Shape) requiring(keys ...string) *Shape {
	s.Required = keys
	return s
}

func (s *Shape) excluding(keys ...string) *Shape {
	s.Excluded = keys
	return s
}

// expected returns what messages call the shape.
func (s *Shape) expected() string {
	if s.Expected != "" {
		return s.Expected
	}
	switch s.Kind {
	case Text:
		return "text"
	case Bool:
		return "true or false"
	case True:
		return "true"
	case Percent:
		return "a number from 0 to 100"
	case Count:
		return "a number of at least 1"
	case Choice, Version:
		return oneOf(s.Choices)
	case EditionKind:
		return "the edition 2026 or ytt"
	case List:
		return "a list"
	}
	return "a mapping"
}

// oneOf lists words: a, b or c.
func oneOf(words []string) string {
	text := ""
	for i, w := range words {
		switch {
		case i > 0 && i == len(words)-1:
			text += " or "
		case i > 0:
			text += ", "
		}
		text += w
	}
	return text
}

// isMap reports whether values of the shape are mappings.
func (s *Shape) isMap() bool {
	switch s.Kind {
	case Map, Record, AnyMap, Environments:
		return true
	}
	return false
}

// IsName reports whether s can be the name of an environment.
func IsName(s string) bool { return matches(namePattern, s) }
