package suggest

import (
	"slices"
	"strings"

	"weft/internal/lang/edit"
	"weft/internal/lang/tree"
)

// owned are the fields that the cluster sets, whatever their value is. A path begins with the kind; a star
// stands for any kind, and at the end for any key that begins like this.
var owned = []string{
	"*.status", "*.apiVersion",
	"*.metadata.managedFields", "*.metadata.uid", "*.metadata.resourceVersion", "*.metadata.generation",
	"*.metadata.creationTimestamp", "*.metadata.selfLink", "*.metadata.namespace",
	"*.metadata.deletionTimestamp", "*.metadata.deletionGracePeriodSeconds", "*.metadata.ownerReferences",
	"*.metadata.annotations.kubectl.kubernetes.io/last-applied-configuration",
	"*.metadata.annotations.deployment.kubernetes.io/*", "*.metadata.annotations.deprecated.daemonset.template.*",
	"*.metadata.annotations.pv.kubernetes.io/*", "*.metadata.annotations.volume.kubernetes.io/*",
	"*.metadata.annotations.volume.beta.kubernetes.io/*",
	"*.metadata.annotations.kubectl.kubernetes.io/restartedAt",
	"*.spec.template.metadata.creationTimestamp", "*.spec.jobTemplate.metadata.creationTimestamp",
	"*.spec.jobTemplate.spec.template.metadata.creationTimestamp",
	"*.spec.template.metadata.annotations.kubectl.kubernetes.io/restartedAt",
	"Service.spec.clusterIP", "Service.spec.clusterIPs", "Service.spec.ipFamilies", "Service.spec.ports.nodePort",
	"Service.spec.healthCheckNodePort",
	"PersistentVolumeClaim.spec.volumeName", "PersistentVolumeClaim.metadata.finalizers",
	"PersistentVolume.spec.claimRef", "PersistentVolume.metadata.finalizers",
	"Namespace.spec.finalizers", "Namespace.metadata.labels.kubernetes.io/metadata.name",
	"Pod.spec.nodeName", "ServiceAccount.secrets",
	"Job.spec.selector", "Job.metadata.labels.batch.kubernetes.io/*",
	"Job.spec.template.metadata.labels.batch.kubernetes.io/*", "Job.spec.template.metadata.labels.controller-uid",
	"Job.spec.template.metadata.labels.job-name",
	"CustomResourceDefinition.spec.names.listKind",
	"MutatingWebhookConfiguration.webhooks.clientConfig.caBundle",
	"ValidatingWebhookConfiguration.webhooks.clientConfig.caBundle",
}

// defaults are the fields with the values that they get if they are left out, each as YAML.
var defaults = []struct {
	key  string
	yaml []string
}{
	{"allocateLoadBalancerNodePorts", []string{"true"}},
	{"apiGroup", []string{"rbac.authorization.k8s.io", "''"}},
	{"apiVersion", []string{"v1"}},
	{"backoffLimit", []string{"6"}},
	{"completionMode", []string{"NonIndexed"}},
	{"completions", []string{"1"}},
	{"concurrencyPolicy", []string{"Allow"}},
	{"conversion", []string{"{strategy: None}"}},
	{"defaultMode", []string{"420"}},
	{"divisor", []string{"'0'"}},
	{"dnsPolicy", []string{"ClusterFirst"}},
	{"enableServiceLinks", []string{"true"}},
	{"externalTrafficPolicy", []string{"Cluster"}},
	{"failedJobsHistoryLimit", []string{"1"}},
	{"failurePolicy", []string{"Fail"}},
	{"failureThreshold", []string{"3"}},
	{"imagePullPolicy", []string{"Always", "IfNotPresent"}},
	{"internalTrafficPolicy", []string{"Cluster"}},
	{"ipFamilyPolicy", []string{"SingleStack"}},
	{"manualSelector", []string{"false"}},
	{"matchPolicy", []string{"Equivalent"}},
	{"namespaceSelector", []string{"{}"}},
	{"objectSelector", []string{"{}"}},
	{"parallelism", []string{"1"}},
	{"pathType", []string{"ImplementationSpecific"}},
	{"periodSeconds", []string{"10"}},
	{"persistentVolumeClaimRetentionPolicy", []string{"{whenDeleted: Retain, whenScaled: Retain}"}},
	{"podManagementPolicy", []string{"OrderedReady"}},
	{"podReplacementPolicy", []string{"TerminatingOrFailed"}},
	{"policyTypes", []string{"[Ingress]"}},
	{"progressDeadlineSeconds", []string{"600"}},
	{"protocol", []string{"TCP"}},
	{"reinvocationPolicy", []string{"Never"}},
	{"replicas", []string{"1"}},
	{"resources", []string{"{}"}},
	{"restartPolicy", []string{"Always"}},
	{"revisionHistoryLimit", []string{"10"}},
	{"schedulerName", []string{"default-scheduler"}},
	{"scheme", []string{"HTTP"}},
	{"scope", []string{"'*'"}},
	{"securityContext", []string{"{}"}},
	{"serviceAccount", []string{"default"}},
	{"serviceAccountName", []string{"default"}},
	{"sessionAffinity", []string{"None"}},
	{"strategy", []string{"{type: RollingUpdate, rollingUpdate: {maxSurge: 25%, maxUnavailable: 25%}}"}},
	{"rollingUpdate", []string{
		"{maxSurge: 25%, maxUnavailable: 25%}", "{maxSurge: 0, maxUnavailable: 1}", "{partition: 0}",
	}},
	{"maxSurge", []string{"25%", "0"}},
	{"maxUnavailable", []string{"25%", "1"}},
	{"successThreshold", []string{"1"}},
	{"successfulJobsHistoryLimit", []string{"3"}},
	{"suspend", []string{"false"}},
	{"terminationGracePeriodSeconds", []string{"30"}},
	{"terminationMessagePath", []string{"/dev/termination-log"}},
	{"terminationMessagePolicy", []string{"File"}},
	{"timeoutSeconds", []string{"1", "10"}},
	{"type", []string{"ClusterIP", "RollingUpdate", "Opaque", "''"}},
	{"updateStrategy", []string{
		"{type: RollingUpdate, rollingUpdate: {partition: 0}}",
		"{type: RollingUpdate, rollingUpdate: {maxSurge: 0, maxUnavailable: 1}}",
	}},
	{"volumeMode", []string{"Filesystem"}},
}

// copies are fields that get the value of another one next to them if they are left out.
var copies = []struct{ key, of string }{{"targetPort", "port"}, {"serviceAccount", "serviceAccountName"}}

// isFree reports whether people choose the keys of the map at a path, so that none of them has a default.
func isFree(at string) bool {
	names := []string{
		".data", ".stringData", ".binaryData", ".labels", ".annotations", ".matchLabels", ".nodeSelector",
	}
	return at == "Service.spec.selector" ||
		slices.ContainsFunc(names, func(name string) bool { return strings.HasSuffix(at, name) })
}

// isOwned reports whether the cluster sets the field at a path.
func isOwned(at string) bool {
	_, rest, _ := strings.Cut(at, ".")
	return slices.ContainsFunc(owned, func(p string) bool {
		full := at
		if below, ok := strings.CutPrefix(p, "*."); ok {
			p, full = below, rest
		}
		if start, ok := strings.CutSuffix(p, "*"); ok {
			return strings.HasPrefix(full, start)
		}
		return full == p
	})
}

// isDefault reports whether a field has the value that it gets if it is left out.
func isDefault(key string, v tree.Value) bool {
	for _, d := range defaults {
		if d.key == key {
			return slices.ContainsFunc(d.yaml, func(text string) bool {
				_, docs, err := parse([]byte(text), "", projectSyntax)
				return err == nil && len(docs) == 1 && edit.Equal(docs[0], v)
			})
		}
	}
	return false
}

// isCopy reports whether a field has the value of the one that it is a copy of.
func isCopy(in tree.Value, key string, v tree.Value) bool {
	for _, c := range copies {
		if other, ok := in.Lookup(c.of); c.key == key && ok {
			return edit.Equal(other, v)
		}
	}
	return false
}

// isQuantity reports whether the field at a path is a quantity.
func isQuantity(at string) bool {
	names := []string{".limits.", ".requests.", ".capacity.", ".hard.", ".sizeLimit", ".averageValue"}
	return slices.ContainsFunc(names, func(name string) bool { return strings.Contains(at, name) })
}
