package shortcut

import (
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/tree"
)

// note records what documents say about others: custom resources, namespaces and service accounts.
func (r *run) note(v tree.Value, in objectKind) {
	k := kindOf(v, in)
	if items, of, ok := itemsOf(v, k); ok {
		for _, it := range items.Entries() {
			r.note(it.Value, of)
		}
	}
	meta, _ := lookup(v, "metadata")
	namespace := textAt(meta, "namespace")
	r.accounts[[2]string{namespace, "default"}] = true // each namespace has it
	switch k.kind {
	case "CustomResourceDefinition":
		spec, _ := lookup(v, "spec")
		names, _ := lookup(spec, "names")
		r.scopes[[2]string{textAt(spec, "group"), textAt(names, "kind")}] = textAt(spec, "scope") != "Cluster"
	case "ServiceAccount":
		r.accounts[[2]string{namespace, textAt(meta, "name")}] = true
	}
}

// setNamespace sets the namespace of an object, unless it is cluster-scoped, and of the service accounts that
// a role binding names.
func (r *run) setNamespace(v tree.Value) tree.Value {
	kind := r.object
	if strings.HasSuffix(kind.kind, "RoleBinding") {
		v = r.in(v, "subjects", func(list tree.Value) tree.Value { return r.each(list, r.setSubject) })
	}
	namespaced, known := r.scopes[[2]string{kind.group(), kind.kind}]
	if !known {
		namespaced, known = scopeOf(kind)
	}
	if !known && !r.unknown[kind] {
		r.unknown[kind] = true
		r.opt.Warn(diag.Warningf(r.opt.Place(r.namespace.At), CodeScope,
			"%s (%s) gets a namespace, but weft does not know whether it has one", kind.kind, kind.version).
			WithRelated(start(v), "the first of them").
			WithHint("add its CustomResourceDefinition to the inputs"))
	}
	if known && !namespaced {
		return v
	}
	return r.within(v, "metadata", func(meta tree.Value) tree.Value {
		return r.set(meta, r.inNamespace())
	})
}

// setSubject sets the namespace of a service account in a role binding, if the account gets that namespace,
// too, or none is named. An account of the same name in another namespace is someone else's, and must not
// lose or get permissions.
func (r *run) setSubject(s tree.Value) tree.Value {
	if s.Kind() != tree.MapKind || s.TextAt("kind") != "ServiceAccount" {
		return s
	}
	if in := s.TextAt("namespace"); in != "" && !r.accounts[[2]string{in, s.TextAt("name")}] {
		return s
	}
	return r.set(s, r.inNamespace())
}

// inNamespace is the setting of a namespace.
func (r *run) inNamespace() setting {
	return setting{&r.namespace.Entry, "namespace", tree.String(r.namespace.Text)}
}

// scopeOf reports whether a kind of Kubernetes has a namespace. It does not know other kinds.
func scopeOf(k objectKind) (namespaced, known bool) {
	if strings.Contains(k.group(), ".") && !strings.HasSuffix(k.group(), ".k8s.io") {
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
