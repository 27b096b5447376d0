//go:build playground

package workspace

// Kubernetes is empty: a page in a browser has no schemas of Kubernetes.
type Kubernetes struct{}
