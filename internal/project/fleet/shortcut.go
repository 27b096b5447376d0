package fleet

import (
	"weft/internal/engine/shortcut"
	"weft/internal/engine/values"
	"weft/internal/lang/source"
	"weft/internal/project"
)

// shortcutsOf returns the short cuts of an environment for Kubernetes objects, or nil.
func shortcutsOf(
	p *project.Description, s *project.Settings, place func(source.Span) values.Place,
) *shortcut.Config {
	if len(s.Kubernetes) == 0 {
		return nil
	}
	c := &shortcut.Config{}
	for _, x := range s.Kubernetes {
		e := shortcut.Entry{Key: x.Key, Name: x.Name, At: place(x.At), Uses: p.Uses(x)}
		switch x.Key {
		case "images":
			c.Images = append(c.Images, shortcut.Image{
				Entry: e, To: textAt(x.Value, "name"), Tag: textAt(x.Value, "tag"), Digest: textAt(x.Value, "digest"),
			})
		case "replicas":
			c.Replicas = append(c.Replicas, shortcut.Replicas{Entry: e, N: int(x.Value.Scalar.Int())})
		case "namespace":
			c.Namespace = shortcut.Text{Entry: e, Text: x.Value.Text}
		case "labels":
			c.Labels = append(c.Labels, shortcut.Text{Entry: e, Text: x.Value.Text})
		case "annotations":
			c.Annotations = append(c.Annotations, shortcut.Text{Entry: e, Text: x.Value.Text})
		}
	}
	return c
}

// textAt returns the text of a key of a mapping, or "".
func textAt(n *project.Node, key string) string {
	if x := n.Get(key); x != nil {
		return x.Text
	}
	return ""
}
