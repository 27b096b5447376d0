package suggest

import (
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"weft/internal/check/jsonschema"
	"weft/internal/lang/edit"
	"weft/internal/lang/lazy"
	"weft/internal/lang/tree"
)

// This file knows what a cluster adds to objects: fields that it owns or assigns, and defaults.
// Those of custom resources, and some of Kubernetes, are in schemas; others are only in the code of
// the API server.

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

// omitted are the fields of built-in objects, by the end of their paths, that the API server leaves
// out if they are false, 0 or "". Other fields are pointers in its code: it keeps what they are set
// to. Containers are also initContainers and ephemeralContainers.
var omitted = []string{
	".spec.hostNetwork", ".spec.hostPID", ".spec.hostIPC", ".spec.nodeName", ".spec.hostname", ".spec.subdomain",
	".spec.priorityClassName", ".spec.minReadySeconds", ".spec.paused",
	"ontainers.workingDir", "ontainers.stdin", "ontainers.stdinOnce", "ontainers.tty", "ontainers.env.value",
	"ontainers.envFrom.prefix", "ontainers.ports.name", "ontainers.ports.hostPort", "ontainers.ports.hostIP",
	"ontainers.volumeMounts.readOnly", "ontainers.volumeMounts.subPath", "ontainers.volumeMounts.subPathExpr",
	"Probe.initialDelaySeconds", ".httpGet.host", ".tcpSocket.host", ".resourceFieldRef.containerName",
	".volumes.emptyDir.medium", ".volumes.persistentVolumeClaim.readOnly", ".nfs.readOnly",
	".spec.tolerations.key", ".spec.tolerations.operator", ".spec.tolerations.value", ".spec.tolerations.effect",
	"Service.spec.publishNotReadyAddresses", "Service.spec.ports.name", "Service.spec.ports.nodePort",
	"Service.spec.externalName", "Service.spec.loadBalancerIP", "Service.spec.healthCheckNodePort",
	"Ingress.spec.rules.host", "Ingress.spec.rules.http.paths.path",
	"Binding.subjects.apiGroup", "Binding.subjects.namespace",
	"PersistentVolume.spec.storageClassName", "PersistentVolumeClaim.spec.volumeName",
	"PriorityClass.globalDefault", "PriorityClass.description",
	"CustomResourceDefinition.spec.preserveUnknownFields", "CustomResourceDefinition.spec.versions.deprecated",
	"CustomResourceDefinition.spec.versions.additionalPrinterColumns.priority",
}

// quantities are the fields of built-in objects that are quantities, by the end of their paths; a star stands for
// any key.
var quantities = []string{
	".resources.limits.*", ".resources.requests.*", ".spec.overhead.*", "RuntimeClass.overhead.podFixed.*",
	"ResourceQuota.spec.hard.*", "PersistentVolume.spec.capacity.*", "CSIStorageCapacity.capacity",
	"CSIStorageCapacity.maximumVolumeSize", "LimitRange.spec.limits.default.*",
	"LimitRange.spec.limits.defaultRequest.*", "LimitRange.spec.limits.max.*", "LimitRange.spec.limits.min.*",
	"LimitRange.spec.limits.maxLimitRequestRatio.*", ".emptyDir.sizeLimit", ".resourceFieldRef.divisor",
	"HorizontalPodAutoscaler.spec.metrics.containerResource.target.averageValue",
	"HorizontalPodAutoscaler.spec.metrics.external.target.averageValue",
	"HorizontalPodAutoscaler.spec.metrics.external.target.value",
	"HorizontalPodAutoscaler.spec.metrics.object.target.averageValue",
	"HorizontalPodAutoscaler.spec.metrics.object.target.value",
	"HorizontalPodAutoscaler.spec.metrics.pods.target.averageValue",
	"HorizontalPodAutoscaler.spec.metrics.resource.target.averageValue",
}

// field is what is known about a place of a live object.
type field struct {
	at     string                   // the kind and the keys that lead to it, without items of lists
	in     string                   // the path of the map that has it
	custom bool                     // the object is a custom resource
	free   bool                     // people choose its key, or, if it is not custom, one that leads to it
	onHost bool                     // the pod that it is in has the network of its node
	table  tree.Value               // what apiDefaults has for it
	schema jsonschema.Outline       // what the schema of its type says
	plain  map[defaultOf]tree.Value // the defaults without the defaults in them
}

// defaultOf is what the default of a field depends on.
type defaultOf struct {
	table  tree.Value
	schema *jsonschema.Schema
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
	return field{at: kind, custom: !isBuiltin, table: table, schema: schema, plain: map[defaultOf]tree.Value{}}
}

// key returns what is known about a key of a map.
func (f field) key(name string) field {
	f.free = f.free && !f.custom || f.isFree()
	f.in, f.at = f.at, f.at+"."+name
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

// isDefault reports whether a field has the value that it gets if it is left out. A plain value is the same without
// the defaults in it.
func (f field) isDefault(v, plain tree.Value) bool {
	if f.free {
		return false
	}
	if f.table != (tree.Value{}) && edit.Equal(f.table, v) {
		return true
	}
	d, ok := f.schema.Default()
	return ok && edit.Equal(f.plainDefault(d), plain)
}

// plainDefault returns the default of a field without the defaults in it. Each is computed once:
// defaults may have others in them at any depth, and schemas may be circular.
func (f field) plainDefault(d tree.Value) tree.Value {
	p := defaultOf{f.table, f.schema[0]}
	v, ok := f.plain[p]
	if !ok {
		f.plain[p] = d
		v = f.natural(tree.Value{}, d)
		f.plain[p] = v
	}
	return v
}

// isComputed reports whether a field has the value that the cluster computes from others if it is left out.
func (f field) isComputed(in tree.Value, key string, v tree.Value) bool {
	if f.custom || f.free {
		return false
	}
	same := func(key string) bool {
		other, ok := in.Lookup(key)
		return ok && edit.Equal(other, v)
	}
	switch {
	case key == "imagePullPolicy":
		return v.IsString(pullPolicy(in.TextAt("image")))
	case key == "serviceAccount":
		return same("serviceAccountName")
	case key == "hostPort":
		return f.onHost && same("containerPort")
	case f.at == "Service.spec.ports.targetPort":
		return same("port")
	case f.at == "NetworkPolicy.spec.policyTypes":
		return edit.Equal(v, policyTypes(in))
	}
	return false
}

// policyTypes returns the default of policyTypes for what a network policy says.
func policyTypes(spec tree.Value) tree.Value {
	items := []tree.Item{{Value: tree.String("Ingress")}}
	if out, _ := spec.Lookup("egress"); out.Kind() == tree.ArrayKind && out.Len() > 0 {
		items = append(items, tree.Item{Value: tree.String("Egress")})
	}
	return tree.Of(tree.NewArray(items, spec.Start()))
}

// isOmitted reports whether the cluster leaves out a field with this value.
func (f field) isOmitted(v tree.Value) bool {
	typed := !f.custom || strings.HasPrefix(f.at, ".metadata.")
	switch {
	case v.IsNull():
		return true
	case !typed || f.free:
		return false
	case v.Kind() != tree.ScalarKind:
		// a selector that is empty selects everything, one that is left out nothing
		return v.Len() == 0 && (f.isFree() || !strings.HasSuffix(f.at, "Selector"))
	}
	isZero := v.IsString("") || edit.Equal(v, number(0)) || edit.Equal(v, tree.Of(starlark.False))
	return isZero && slices.ContainsFunc(omitted, func(end string) bool { return strings.HasSuffix(f.at, end) })
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
		".volumeAttributes", ".openAPIV3Schema",
	}
	return f.at == "Service.spec.selector" || f.at == "StorageClass.parameters" ||
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
	return !f.custom && !f.free && slices.ContainsFunc(quantities, func(end string) bool {
		if list, ok := strings.CutSuffix(end, ".*"); ok {
			return strings.HasSuffix(f.in, list)
		}
		return strings.HasSuffix(f.at, end)
	})
}
