package shortcut

import (
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/tree"
)

// groupKind is a kind of objects.
type groupKind struct{ group, kind string }

func kindOf(v tree.Value) groupKind {
	group, _, ok := strings.Cut(v.TextAt("apiVersion"), "/")
	if !ok {
		group = ""
	}
	return groupKind{group, v.TextAt("kind")}
}

// note records what documents say about others: custom resources and service accounts.
func (r *run) note(v tree.Value) {
	if !isObject(v) {
		return
	}
	if items, ok := v.Lookup("items"); ok && v.TextAt("kind") == "List" {
		for _, it := range items.Entries() {
			r.note(it.Value)
		}
	}
	switch v.TextAt("kind") {
	case "CustomResourceDefinition":
		spec, _ := v.Lookup("spec")
		names, _ := lookup(spec, "names")
		if names.Kind() == tree.MapKind {
			r.scopes[groupKind{spec.TextAt("group"), names.TextAt("kind")}] = spec.TextAt("scope") != "Cluster"
		}
	case "ServiceAccount":
		meta, _ := v.Lookup("metadata")
		r.accounts[meta.TextAt("name")] = true
	}
}

// setNamespace sets the namespace of an object, unless it is cluster-scoped, and of the service accounts that
// a role binding names.
func (r *run) setNamespace(v tree.Value) tree.Value {
	kind := kindOf(v)
	if strings.HasSuffix(kind.kind, "RoleBinding") {
		v = r.in(v, "subjects", func(list tree.Value) tree.Value { return each(list, r.setSubject) })
	}
	namespaced, known := r.scopes[kind]
	if !known {
		namespaced, known = scopeOf(kind)
	}
	if !known && !r.unknown[kind] {
		r.unknown[kind] = true
		r.opt.Warn(diag.Warningf(r.opt.Place(r.Namespace.At), CodeScope,
			"%s (%s) gets a namespace, but weft does not know whether it has one", kind.kind, v.TextAt("apiVersion")).
			WithRelated(start(v), "the first of them").
			WithHint("add its CustomResourceDefinition to the inputs"))
	}
	if known && !namespaced {
		return v
	}
	return r.within(v, "metadata", func(meta tree.Value) tree.Value {
		return r.set(meta, "namespace", tree.String(r.Namespace.Text), r.Namespace.At)
	})
}

// setSubject sets the namespace of a service account in a role binding, if the account gets that namespace,
// too, or none is named.
func (r *run) setSubject(s tree.Value) tree.Value {
	if s.Kind() != tree.MapKind || s.TextAt("kind") != "ServiceAccount" {
		return s
	}
	name := s.TextAt("name")
	if s.TextAt("namespace") != "" && name != "default" && !r.accounts[name] {
		return s // an account of someone else
	}
	return r.set(s, "namespace", tree.String(r.Namespace.Text), r.Namespace.At)
}

// scopeOf reports whether a kind of Kubernetes has a namespace. It does not know other kinds.
func scopeOf(k groupKind) (namespaced, known bool) {
	if strings.Contains(k.group, ".") && !strings.HasSuffix(k.group, ".k8s.io") {
		return true, false
	}
	switch k.kind {
	case "APIService", "CSIDriver", "CSINode", "CertificateSigningRequest", "ClusterRole", "ClusterRoleBinding",
		"ClusterTrustBundle", "ComponentStatus", "CustomResourceDefinition", "DeviceClass", "FlowSchema",
		"IPAddress", "IngressClass", "MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding",
		"MutatingWebhookConfiguration", "Namespace", "Node", "PersistentVolume", "PodSecurityPolicy",
		"PriorityClass", "PriorityLevelConfiguration", "ResourceSlice", "RuntimeClass", "SelfSubjectAccessReview",
		"SelfSubjectReview", "SelfSubjectRulesReview", "ServiceCIDR", "StorageClass", "StorageVersion",
		"SubjectAccessReview", "TokenReview", "ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding",
		"ValidatingWebhookConfiguration", "VolumeAttachment", "VolumeAttributesClass":
		return false, true
	case "Binding", "CSIStorageCapacity", "ConfigMap", "ControllerRevision", "CronJob", "DaemonSet", "Deployment",
		"EndpointSlice", "Endpoints", "Event", "HorizontalPodAutoscaler", "Ingress", "Job", "Lease", "LimitRange",
		"LocalSubjectAccessReview", "NetworkPolicy", "PersistentVolumeClaim", "Pod", "PodDisruptionBudget",
		"PodTemplate", "ReplicaSet", "ReplicationController", "ResourceClaim", "ResourceClaimTemplate",
		"ResourceQuota", "Role", "RoleBinding", "Secret", "Service", "ServiceAccount", "StatefulSet":
		return true, true
	}
	return true, false
}
