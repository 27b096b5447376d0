package shortcut

import (
	"maps"
	"slices"
	"strings"

	"weft/internal/lang/diag"
)

// unused returns the entries that match nothing. One that several environments have is a warning, because
// another environment may need it: a Tally decides.
func (r *run) unused(c *Config) (missed []Missed) {
	miss := func(x *Entry, what, hint string) {
		d := diag.Errorf(r.opt.Place(x.At), CodeNoMatch, "no object %s '%s'", what, x.Name)
		if hint != "" {
			d.WithHint("%s", hint)
		}
		missed = append(missed, Missed{x, d})
		if x.Uses <= 1 {
			r.wrong = append(r.wrong, d)
			return
		}
		note := *d
		note.Severity = diag.Warning
		r.opt.Warn(&note)
	}
	for i := range c.Images {
		if x := &c.Images[i].Entry; !r.used[x] {
			miss(x, "has the image", r.imageHint(x.Name))
		}
	}
	for i := range c.Replicas {
		if x := &c.Replicas[i].Entry; !r.used[x] {
			miss(x, "with replicas is called", r.replicasHint(x.Name))
		}
	}
	return missed
}

// imageHint returns what an image that no container has probably means.
func (r *run) imageHint(name string) string {
	known := slices.Sorted(maps.Keys(r.names))
	if plain := ParseImage(name); plain.Name != name && r.names[plain.Name] {
		return "name the image without its tag and digest: " + plain.Name
	}
	for _, k := range known { // with another registry, or without one
		if strings.HasSuffix(k, "/"+name) || strings.HasSuffix(name, "/"+k) {
			return "did you mean " + k + "?"
		}
	}
	return nearest(name, known)
}

// replicasHint returns what the name of an object probably means.
func (r *run) replicasHint(name string) string {
	if kind := r.objects[name]; kind != "" {
		return "short cuts set the replicas of a Deployment, ReplicaSet, ReplicationController or StatefulSet; " +
			"for a " + kind + " write an overlay"
	}
	var known []string
	for object, kind := range r.objects {
		if kind == "" && object != "" {
			known = append(known, object)
		}
	}
	slices.Sort(known)
	return nearest(name, known)
}

func nearest(name string, known []string) string {
	if near := diag.Nearest(name, known); near != "" {
		return "did you mean " + near + "?"
	}
	if len(known) == 0 {
		return ""
	}
	return "there is '" + known[0] + "'"
}
