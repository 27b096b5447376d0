package shortcut

import (
	"strings"

	"weft/internal/lang/tree"
)

// pods changes the pods of an object: its containers if it is a Pod, and those of every pod template inside,
// in any kind. A pod template is what is below a key such as template or jobTemplate and has spec.containers.
func (r *run) pods(v tree.Value) tree.Value {
	if r.object.kind == "Pod" {
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
		return r.each(v, r.templates)
	}
	return r.all(v, func(it tree.Item) func(tree.Value) tree.Value {
		switch key := it.Key.Text(); {
		case it.Value.Kind() == tree.ScalarKind || it.Key.Kind() != tree.ScalarKind || key == "metadata":
			return nil
		case isTemplate(key, it.Value):
			return r.template
		}
		return r.templates
	})
}

func isTemplate(key string, v tree.Value) bool {
	if key != "template" && !strings.HasSuffix(key, "Template") {
		return false
	}
	spec, _ := lookup(v, "spec")
	list, ok := lookup(spec, "containers")
	return ok && list.Kind() == tree.ArrayKind
}

// template changes a pod template.
func (r *run) template(v tree.Value) tree.Value {
	if len(r.labels)+len(r.annotations) > 0 {
		r.inPod = true
		v = r.setLabels(v)
		r.inPod = false
	}
	return r.in(v, "spec", r.containers)
}

// containers changes the images of the specification of a pod.
func (r *run) containers(spec tree.Value) tree.Value {
	if len(r.images) == 0 {
		return spec
	}
	for _, key := range []string{"containers", "initContainers", "ephemeralContainers"} {
		spec = r.in(spec, key, func(list tree.Value) tree.Value { return r.each(list, r.setImage) })
	}
	return spec
}

// setImage changes the image of a container.
func (r *run) setImage(container tree.Value) tree.Value {
	old := ParseImage(textAt(container, "image"))
	if old.Name == "" {
		return container
	}
	r.names[old.Name] = true
	x := r.images[old.Name]
	if x == nil {
		return container
	}
	return r.set(container, setting{&x.Entry, "image", tree.String(x.in(old).String())})
}
