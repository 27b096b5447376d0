package selector

import (
	"cmp"
	"strings"
)

// coreGroup is the name of the group that has none: that of Pod and Service.
const coreGroup = "core"

// isKind reports whether a text names a kind, in any case: as it is, in the plural, by its short name in
// kubectl, or with its group; a star stands for anything.
func (o Object) isKind(text string) bool {
	text = strings.ToLower(text)
	kind := strings.ToLower(o.Kind)
	own := cmp.Or(strings.ToLower(o.Group), coreGroup)
	if like(text, kind) || like(text, kind+"."+own) {
		return true
	}
	name, group, hasGroup := strings.Cut(text, ".")
	if hasGroup && group != own {
		return false
	}
	return name == plural(kind) || shortName(name) == kind
}

// plural returns the plural of a kind, as the Kubernetes API spells it.
func plural(kind string) string {
	switch {
	case kind == "endpoints":
		return kind
	case strings.HasSuffix(kind, "s"), strings.HasSuffix(kind, "x"), strings.HasSuffix(kind, "ch"):
		return kind + "es"
	case strings.HasSuffix(kind, "ay"), strings.HasSuffix(kind, "ey"), strings.HasSuffix(kind, "oy"):
		return kind + "s"
	case strings.HasSuffix(kind, "y"):
		return strings.TrimSuffix(kind, "y") + "ies"
	}
	return kind + "s"
}

// shortName returns the kind, in lower case, for one of kubectl's short names, or "".
func shortName(text string) string {
	switch text {
	case "cj":
		return "cronjob"
	case "cm":
		return "configmap"
	case "crd", "crds":
		return "customresourcedefinition"
	case "cs":
		return "componentstatus"
	case "csr":
		return "certificatesigningrequest"
	case "deploy":
		return "deployment"
	case "ds":
		return "daemonset"
	case "ep":
		return "endpoints"
	case "ev":
		return "event"
	case "hpa":
		return "horizontalpodautoscaler"
	case "ing":
		return "ingress"
	case "limits":
		return "limitrange"
	case "netpol":
		return "networkpolicy"
	case "no":
		return "node"
	case "ns":
		return "namespace"
	case "pc":
		return "priorityclass"
	case "pdb":
		return "poddisruptionbudget"
	case "po":
		return "pod"
	case "pv":
		return "persistentvolume"
	case "pvc":
		return "persistentvolumeclaim"
	case "quota":
		return "resourcequota"
	case "rc":
		return "replicationcontroller"
	case "rs":
		return "replicaset"
	case "sa":
		return "serviceaccount"
	case "sc":
		return "storageclass"
	case "sts":
		return "statefulset"
	case "svc":
		return "service"
	}
	return ""
}

// like reports whether a text matches a pattern in which `*` matches any characters.
func like(pattern, text string) bool {
	first, rest, star := strings.Cut(pattern, "*")
	if !star {
		return pattern == text
	}
	text, ok := strings.CutPrefix(text, first)
	if !ok {
		return false
	}
	parts := strings.Split(rest, "*")
	last := parts[len(parts)-1]
	for _, part := range parts[:len(parts)-1] {
		at := strings.Index(text, part)
		if at < 0 {
			return false
		}
		text = text[at+len(part):]
	}
	return strings.HasSuffix(text, last)
}
