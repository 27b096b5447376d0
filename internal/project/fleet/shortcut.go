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
		at := place(x.At)
		switch x.Key {
		case "images":
			c.Images = append(c.Images, shortcut.Image{
				Image: x.Name, Name: textAt(x.Value, "name"), Tag: textAt(x.Value, "tag"),
				Digest: textAt(x.Value, "digest"), At: at, Shared: p.Shared(x),
			})
		case "replicas":
			c.Replicas = append(c.Replicas, shortcut.Replicas{
				Object: x.Name, N: int(x.Value.Scalar.Int()), At: at, Shared: p.Shared(x),
			})
		case "namespace":
			c.Namespace = shortcut.Text{Text: x.Value.Text, At: at}
		case "labels":
			c.Labels = append(c.Labels, shortcut.Label{Key: x.Name, Text: x.Value.Text, At: at})
		case "annotations":
			c.Annotations = append(c.Annotations, shortcut.Label{Key: x.Name, Text: x.Value.Text, At: at})
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
