package suggest

import (
	"slices"
	"strings"

	"weft/internal/check/jsonschema"
	"weft/internal/lang/edit"
	"weft/internal/lang/lazy"
	"weft/internal/lang/tree"
)

// This file knows what a cluster adds to objects: fields that it owns or assigns, and defaults. Those of custom
// resources, and some of Kubernetes, are in schemas; others are only in the code of the API server.

// owned are the fields that the cluster sets, whatever is rendered. A path begins with the kind of a built-in
// object; a star stands for any object, and at the end for any key that begins like this.
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
	"StatefulSet.spec.volumeClaimTemplates.status",
	"StatefulSet.spec.volumeClaimTemplates.metadata.creationTimestamp",
	"MutatingWebhookConfiguration.webhooks.clientConfig.caBundle",
	"ValidatingWebhookConfiguration.webhooks.clientConfig.caBundle",
	"CustomResourceDefinition.spec.conversion.webhook.clientConfig.caBundle",
}

// assigned are the fields that the cluster sets if they are not rendered, to a value that it chooses.
var assigned = []string{
	"Service.spec.clusterIP", "Service.spec.clusterIPs", "Service.spec.ipFamilies", "Service.spec.ipFamilyPolicy",
	"Service.spec.ports.nodePort", "Service.spec.healthCheckNodePort", "Service.metadata.finalizers",
	"Ingress.spec.ingressClassName",
	"PersistentVolumeClaim.spec.volumeName", "PersistentVolumeClaim.spec.storageClassName",
	"PersistentVolumeClaim.metadata.finalizers",
	"PersistentVolume.spec.claimRef", "PersistentVolume.metadata.finalizers",
	"Namespace.spec.finalizers", "Namespace.metadata.labels.kubernetes.io/metadata.name",
	"Pod.spec.nodeName", "Pod.spec.priority", "Pod.spec.preemptionPolicy", "ServiceAccount.secrets",
	"Job.spec.selector", "Job.metadata.labels.batch.kubernetes.io/*", "Job.metadata.labels.controller-uid",
	"Job.metadata.labels.job-name", "Job.spec.template.metadata.labels.batch.kubernetes.io/*",
	"Job.spec.template.metadata.labels.controller-uid", "Job.spec.template.metadata.labels.job-name",
	"CustomResourceDefinition.spec.names.listKind", "CustomResourceDefinition.spec.names.singular",
}

// apiDefaults are the defaults that the code of the API server sets and that the published schemas do not have,
// by group and kind. The defaults of the items of a list are those of the key "[]".
var apiDefaults = lazy.Value[tree.Value]{New: func() tree.Value {
	_, docs, err := parse([]byte(apiDefaultsText), "defaults", projectSyntax)
	if err != nil {
		panic(err)
	}
	return docs[0]
}}

const apiDefaultsText = `
get: &get {path: /, scheme: HTTP}
probe: &probe
  timeoutSeconds: 1
  periodSeconds: 10
  successThreshold: 1
  failureThreshold: 3
  httpGet: *get
  grpc: {service: ""}
field: &field {apiVersion: v1}
resource: &resource {divisor: "0"}
containers: &containers
  "[]":
    terminationMessagePath: /dev/termination-log
    terminationMessagePolicy: File
    resources: {}
    securityContext: {}
    ports: {"[]": {protocol: TCP}}
    env: {"[]": {valueFrom: {fieldRef: *field, resourceFieldRef: *resource}}}
    livenessProbe: *probe
    readinessProbe: *probe
    startupProbe: *probe
    lifecycle: {postStart: {httpGet: *get}, preStop: {httpGet: *get}}
info: &info {"[]": {fieldRef: *field, resourceFieldRef: *resource}}
claim: &claim {volumeMode: Filesystem}
pod: &pod
  dnsPolicy: ClusterFirst
  restartPolicy: Always
  schedulerName: default-scheduler
  securityContext: {}
  terminationGracePeriodSeconds: 30
  enableServiceLinks: true
  serviceAccountName: default
  containers: *containers
  initContainers: *containers
  ephemeralContainers: *containers
  volumes:
    "[]":
      configMap: {defaultMode: 420}
      secret: {defaultMode: 420}
      downwardAPI: {defaultMode: 420, items: *info}
      projected:
        defaultMode: 420
        sources: {"[]": {serviceAccountToken: {expirationSeconds: 3600}, downwardAPI: {items: *info}}}
      hostPath: {type: ""}
      ephemeral: {volumeClaimTemplate: {spec: *claim}}
template: &template {spec: *pod}
/Pod: {spec: *pod}
/PodTemplate: {template: *template}
/ReplicationController: {spec: {replicas: 1, template: *template}}
apps/Deployment:
  spec:
    replicas: 1
    revisionHistoryLimit: 10
    progressDeadlineSeconds: 600
    strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 25%, maxUnavailable: 25%}}
    template: *template
apps/ReplicaSet: {spec: {replicas: 1, template: *template}}
apps/StatefulSet:
  spec:
    replicas: 1
    revisionHistoryLimit: 10
    podManagementPolicy: OrderedReady
    updateStrategy: {type: RollingUpdate, rollingUpdate: {partition: 0}}
    persistentVolumeClaimRetentionPolicy: {whenDeleted: Retain, whenScaled: Retain}
    template: *template
    volumeClaimTemplates: {"[]": {apiVersion: v1, kind: PersistentVolumeClaim, spec: *claim}}
apps/DaemonSet:
  spec:
    revisionHistoryLimit: 10
    updateStrategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 0, maxUnavailable: 1}}
    template: *template
batch/Job: &job
  spec:
    backoffLimit: 6
    completionMode: NonIndexed
    completions: 1
    manualSelector: false
    parallelism: 1
    podReplacementPolicy: TerminatingOrFailed
    suspend: false
    template: *template
batch/CronJob:
  spec:
    concurrencyPolicy: Allow
    failedJobsHistoryLimit: 1
    successfulJobsHistoryLimit: 3
    suspend: false
    jobTemplate: *job
/Service:
  spec:
    type: ClusterIP
    sessionAffinity: None
    sessionAffinityConfig: {clientIP: {timeoutSeconds: 10800}}
    internalTrafficPolicy: Cluster
    externalTrafficPolicy: Cluster
    allocateLoadBalancerNodePorts: true
    ports: {"[]": {protocol: TCP}}
/Secret: {type: Opaque}
/PersistentVolumeClaim: {spec: *claim}
/PersistentVolume: {spec: {volumeMode: Filesystem, persistentVolumeReclaimPolicy: Retain, hostPath: {type: ""}}}
/Endpoints: {subsets: {"[]": {ports: {"[]": {protocol: TCP}}}}}
autoscaling/HorizontalPodAutoscaler:
  spec:
    minReplicas: 1
    metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 80}}}]
    behavior:
      scaleUp:
        selectPolicy: Max
        stabilizationWindowSeconds: 0
        policies: [{type: Pods, value: 4, periodSeconds: 15}, {type: Percent, value: 100, periodSeconds: 15}]
      scaleDown:
        selectPolicy: Max
        stabilizationWindowSeconds: 300
        policies: [{type: Percent, value: 100, periodSeconds: 15}]
networking.k8s.io/NetworkPolicy:
  spec:
    ingress: {"[]": {ports: {"[]": {protocol: TCP}}}}
    egress: {"[]": {ports: {"[]": {protocol: TCP}}}}
networking.k8s.io/IngressClass: {spec: {parameters: {scope: Cluster}}}
rbac.authorization.k8s.io/RoleBinding: &binding
  roleRef: {apiGroup: rbac.authorization.k8s.io}
  subjects: {"[]": {apiGroup: rbac.authorization.k8s.io}}
rbac.authorization.k8s.io/ClusterRoleBinding: *binding
scheduling.k8s.io/PriorityClass: {preemptionPolicy: PreemptLowerPriority}
storage.k8s.io/StorageClass: {reclaimPolicy: Delete, volumeBindingMode: Immediate}
admissionregistration.k8s.io/ValidatingWebhookConfiguration: &webhooks
  webhooks:
    "[]":
      failurePolicy: Fail
      matchPolicy: Equivalent
      namespaceSelector: {}
      objectSelector: {}
      reinvocationPolicy: Never
      timeoutSeconds: 10
      clientConfig: {service: {port: 443}}
      rules: {"[]": {scope: "*"}}
admissionregistration.k8s.io/MutatingWebhookConfiguration: *webhooks
admissionregistration.k8s.io/ValidatingAdmissionPolicy:
  spec:
    failurePolicy: Fail
    matchConstraints:
      matchPolicy: Equivalent
      namespaceSelector: {}
      objectSelector: {}
      resourceRules: {"[]": {scope: "*"}}
apiextensions.k8s.io/CustomResourceDefinition:
  spec: {conversion: {strategy: None, webhook: {clientConfig: {service: {port: 443}}}}}
`

// copies are fields that get the value of another one next to them if they are left out.
var copies = []struct{ key, of string }{
	{"targetPort", "port"}, {"hostPort", "containerPort"}, {"serviceAccount", "serviceAccountName"},
}

// field is what is known about a place of a live object.
type field struct {
	at     string             // the kind and the keys that lead to it, without items of lists
	custom bool               // the object is a custom resource
	table  tree.Value         // what apiDefaults has for it
	schema jsonschema.Outline // what the schema of its type says
}

// fieldOf returns what is known about an object.
func fieldOf(object tree.Value, schema jsonschema.Outline) field {
	group, _, ok := strings.Cut(object.TextAt("apiVersion"), "/")
	if !ok {
		group = ""
	}
	kind := object.TextAt("kind")
	table, _ := apiDefaults.Get().Lookup(group + "/" + kind)
	isBuiltin := slices.Contains([]string{"", "apps", "batch", "autoscaling", "policy"}, group) ||
		strings.HasSuffix(group, ".k8s.io")
	if !isBuiltin {
		kind = ""
	}
	return field{at: kind, custom: !isBuiltin, table: table, schema: schema}
}

// key returns what is known about a key of a map.
func (f field) key(name string) field {
	f.at += "." + name
	f.table, _ = f.table.Lookup(name)
	f.schema = f.schema.Field(name)
	return f
}

// item returns what is known about an item of a list.
func (f field) item(i int) field {
	f.table, _ = f.table.Lookup("[]")
	f.schema = f.schema.Item(i)
	return f
}

// isDefault reports whether a field has the value that it gets if it is left out.
func (f field) isDefault(v tree.Value) bool {
	if f.table != (tree.Value{}) && edit.Equal(f.table, v) {
		return true
	}
	d, ok := f.schema.Default()
	return ok && edit.Equal(f.natural(tree.Value{}, d), f.natural(tree.Value{}, v))
}

// isComputed reports whether a field has the value that the cluster computes from others if it is left out.
func (f field) isComputed(in tree.Value, key string, v tree.Value) bool {
	if f.custom {
		return false
	}
	switch {
	case key == "imagePullPolicy":
		return v.IsString(pullPolicy(in.TextAt("image")))
	case f.at == "NetworkPolicy.spec.policyTypes":
		_, out := in.Lookup("egress")
		return v.Len() == 1 && !out || v.Len() == 2 && out
	}
	for _, c := range copies {
		if other, ok := in.Lookup(c.of); c.key == key && ok {
			return edit.Equal(other, v)
		}
	}
	return false
}

// pullPolicy returns the default of imagePullPolicy for an image.
func pullPolicy(image string) string {
	name, _, pinned := strings.Cut(image, "@")
	_, tag, tagged := strings.Cut(name[strings.LastIndexByte(name, '/')+1:], ":")
	if pinned || tagged && tag != "latest" {
		return "IfNotPresent"
	}
	return "Always"
}

// isFree reports whether people choose the keys of the map at a path, so that none of them has a default.
func (f field) isFree() bool {
	names := []string{
		".data", ".stringData", ".binaryData", ".labels", ".annotations", ".matchLabels", ".nodeSelector",
	}
	return f.at == "Service.spec.selector" ||
		slices.ContainsFunc(names, func(name string) bool { return strings.HasSuffix(f.at, name) })
}

// isIn reports whether a field is in a list of paths.
func (f field) isIn(list []string) bool {
	_, rest, _ := strings.Cut(f.at, ".")
	return slices.ContainsFunc(list, func(p string) bool {
		full := f.at
		if below, ok := strings.CutPrefix(p, "*."); ok {
			p, full = below, rest
		}
		if start, ok := strings.CutSuffix(p, "*"); ok {
			return strings.HasPrefix(full, start)
		}
		return full == p
	})
}

// isQuantity reports whether the field is a quantity.
func (f field) isQuantity() bool {
	names := []string{".limits.", ".requests.", ".capacity.", ".hard.", ".sizeLimit", ".averageValue"}
	return slices.ContainsFunc(names, func(name string) bool { return strings.Contains(f.at, name) })
}
