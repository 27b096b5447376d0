package shortcut

import (
	"strings"

	"weft/internal/lang/tree"
)

// pods changes the pods of an object: its own containers if it is a Pod, and those of every pod template
// inside, in any kind. A pod template is what is below a key such as template or jobTemplate and has
// spec.containers.
func (r *run) pods(v tree.Value) tree.Value {
	if v.TextAt("kind") == "Pod" {
		return r.in(v, "spec", r.containers)
	}
	return r.templates(v)
}

// templates changes the pod templates below v.
func (r *run) templates(v tree.Value) tree.Value {
	switch v.Kind() {
	case tree.ScalarKind:
		return v
	case tree.ArrayKind:
		return each(v, r.templates)
	}
	for _, it := range v.Entries() {
		key := it.Key.Text()
		if it.Value.Kind() == tree.ScalarKind || it.Key.Kind() != tree.ScalarKind || key == "metadata" {
			continue
		}
		change := r.templates
		if isTemplate(key, it.Value) {
			change = func(t tree.Value) tree.Value { return r.in(r.setLabels(t), "spec", r.containers) }
		}
		v = r.in(v, key, change)
	}
	return v
}

func isTemplate(key string, v tree.Value) bool {
	if key != "template" && !strings.HasSuffix(key, "Template") {
		return false
	}
	spec, ok := lookup(v, "spec")
	if !ok {
		return false
	}
	list, ok := lookup(spec, "containers")
	return ok && list.Kind() == tree.ArrayKind
}

// containers changes the images of the specification of a pod.
func (r *run) containers(spec tree.Value) tree.Value {
	for _, key := range []string{"containers", "initContainers", "ephemeralContainers"} {
		spec = r.in(spec, key, func(list tree.Value) tree.Value {
			if list.Kind() != tree.ArrayKind {
				return list
			}
			return each(list, r.setImage)
		})
	}
	return spec
}

// setImage changes the image of a container.
func (r *run) setImage(container tree.Value) tree.Value {
	if container.Kind() != tree.MapKind {
		return container
	}
	old := parseImage(container.TextAt("image"))
	r.names = append(r.names, old.name)
	for i := range r.Images {
		if x := &r.Images[i]; old.name != "" && x.Image == old.name {
			r.images[i] = true
			return r.set(container, "image", tree.String(x.in(old).String()), x.At)
		}
	}
	return container
}
