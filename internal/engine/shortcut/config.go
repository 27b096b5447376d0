package shortcut

import (
	"weft/internal/engine/values"
	"weft/internal/lang/path"
	"weft/internal/lang/tree"
)

// Config is the short cuts of an environment.
type Config struct {
	Images      []Image
	Replicas    []Replicas
	Namespace   Text
	Labels      []Text
	Annotations []Text
}

// Entry is one short cut: an image, the namespace, a label.
type Entry struct {
	Key  string // of its group, such as images
	Name string // "" for the namespace
	At   values.Place
	Uses int // how many environments have this line
}

// Image gives an image another name, tag or digest; what is "" stays. The entry is named like the image in
// documents, without tag and digest.
type Image struct {
	Entry
	To, Tag, Digest string
}

// Replicas sets the number of replicas of the object that the entry is named after.
type Replicas struct {
	Entry
	N int
}

// Text is the namespace, a label or an annotation.
type Text struct {
	Entry
	Text string
}

// IsZero reports whether there are none.
func (c *Config) IsZero() bool { return c == nil || len(c.Entries()) == 0 }

// Entries returns the entries, in the order of the reference.
func (c *Config) Entries() (list []*Entry) {
	for i := range c.Images {
		list = append(list, &c.Images[i].Entry)
	}
	for i := range c.Replicas {
		list = append(list, &c.Replicas[i].Entry)
	}
	if c.Namespace.Text != "" {
		list = append(list, &c.Namespace.Entry)
	}
	for i := range c.Labels {
		list = append(list, &c.Labels[i].Entry)
	}
	for i := range c.Annotations {
		list = append(list, &c.Annotations[i].Entry)
	}
	return list
}

// Path returns the path of the entry in weft.yml, such as kubernetes.replicas.web.
func (e *Entry) Path() string {
	p := path.Path{path.ToKey(tree.String("kubernetes")), path.ToKey(tree.String(e.Key))}
	if e.Name != "" {
		p = append(p, path.ToKey(tree.String(e.Name)))
	}
	return p.String()
}
