package kubernetes

import (
	"slices"
	"strings"

	"weft/internal/check/jsonschema"
	"weft/internal/lang/lazy"
)

// builtin are the types that people write, by apiVersion; the preferred version of a kind comes first. The
// names of schema files are in lower case, so they do not say how a kind is written.
var builtin = lazy.Value[[]Type]{New: func() []Type {
	var list []Type
	for _, x := range [][2]string{
		{"v1", "ConfigMap Secret Service ServiceAccount Namespace Pod PersistentVolumeClaim PersistentVolume " +
			"LimitRange ResourceQuota ReplicationController Endpoints Event Node List"},
		{"apps/v1", "Deployment StatefulSet DaemonSet ReplicaSet ControllerRevision"},
		{"batch/v1", "Job CronJob"},
		{"networking.k8s.io/v1", "Ingress NetworkPolicy IngressClass"},
		{"rbac.authorization.k8s.io/v1", "Role RoleBinding ClusterRole ClusterRoleBinding"},
		{"autoscaling/v2", "HorizontalPodAutoscaler"},
		{"policy/v1", "PodDisruptionBudget"},
		{"apiextensions.k8s.io/v1", "CustomResourceDefinition"},
		{"storage.k8s.io/v1", "StorageClass CSIDriver CSINode VolumeAttachment"},
		{"scheduling.k8s.io/v1", "PriorityClass"},
		{"admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration MutatingWebhookConfiguration " +
			"ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding"},
		{"apiregistration.k8s.io/v1", "APIService"},
		{"certificates.k8s.io/v1", "CertificateSigningRequest"},
		{"coordination.k8s.io/v1", "Lease"},
		{"discovery.k8s.io/v1", "EndpointSlice"},
		{"events.k8s.io/v1", "Event"},
		{"flowcontrol.apiserver.k8s.io/v1", "FlowSchema PriorityLevelConfiguration"},
		{"node.k8s.io/v1", "RuntimeClass"},
		{"authentication.k8s.io/v1", "TokenReview"},
		{"authorization.k8s.io/v1", "SubjectAccessReview SelfSubjectAccessReview LocalSubjectAccessReview"},
		{"autoscaling/v1", "HorizontalPodAutoscaler"},
		{"resource.k8s.io/v1", "ResourceClaim ResourceClaimTemplate DeviceClass"},
		{"extensions/v1beta1", "Deployment DaemonSet Ingress"},
		{"networking.k8s.io/v1beta1", "Ingress"},
		{"batch/v1beta1", "CronJob"},
		{"policy/v1beta1", "PodDisruptionBudget PodSecurityPolicy"},
		{"autoscaling/v2beta2", "HorizontalPodAutoscaler"},
		{"apiextensions.k8s.io/v1beta1", "CustomResourceDefinition"},
	} {
		for kind := range strings.FieldsSeq(x[1]) {
			list = append(list, Type{x[0], kind})
		}
	}
	return list
}}

// Resources returns the names of what a container may need.
func Resources() []string { return []string{"cpu", "memory", "ephemeral-storage"} }

// CommonFields returns the names of fields that people write most, to offer them first, in this order.
func CommonFields() []string { return commonFields.Get() }

var commonFields = lazy.Value[[]string]{New: func() []string {
	return strings.Fields("apiVersion kind metadata spec data stringData name namespace labels annotations " +
		"replicas selector matchLabels template containers initContainers image ports env command args " +
		"resources volumeMounts imagePullPolicy value valueFrom envFrom containerPort port targetPort protocol " +
		"limits requests " +
		"volumes mountPath configMap secret livenessProbe readinessProbe httpGet path " +
		"serviceAccountName securityContext nodeSelector tolerations affinity strategy type rules host http " +
		"backend service tls schedule jobTemplate accessModes storageClassName roleRef subjects minReplicas " +
		"maxReplicas scaleTargetRef restartPolicy")
}}

// Types returns the types that there are schemas for: those of Kubernetes itself, the most common ones
// first, then custom resources.
func (s *Schemas) Types() []Type {
	var list []Type
	for _, t := range builtin.Get() {
		if s.set.has(t) {
			list = append(list, t)
		}
	}
	var custom []Type
	for _, d := range []definitions{s.defined, s.set.defined} {
		for t := range d {
			if !slices.Contains(custom, t) && !slices.Contains(list, t) {
				custom = append(custom, t)
			}
		}
	}
	slices.SortFunc(custom, func(a, b Type) int {
		if a.Kind != b.Kind {
			return strings.Compare(a.Kind, b.Kind)
		}
		return strings.Compare(a.APIVersion, b.APIVersion)
	})
	return append(list, custom...)
}

// has reports whether there is a file with the schema of a type. It does not read the file.
func (s *set) has(t Type) bool {
	for _, l := range s.locations {
		for _, pattern := range l.patterns {
			for _, name := range s.candidates(pattern, t) {
				if info, err := l.files.stat(name); err == nil && !info.IsDir() {
					return true
				}
			}
		}
	}
	return false
}

// Of returns the type of objects of a kind whose apiVersion is unknown: the preferred one of Kubernetes, or
// that of the first custom resource of that kind. It returns false if there is none.
func Of(types []Type, kind string) (Type, bool) {
	i := slices.IndexFunc(types, func(t Type) bool { return t.Kind == kind })
	if i < 0 {
		return Type{}, false
	}
	return types[i], true
}

// Custom returns schemas of custom resources only, for a project without schemas of Kubernetes.
func Custom() *Schemas {
	return &Schemas{set: &set{cache: &Cache{}, defined: definitions{}, found: map[Type]*jsonschema.Schema{}}}
}
