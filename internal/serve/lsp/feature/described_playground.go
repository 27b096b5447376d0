//go:build playground

package feature

import (
	"weft/internal/check/jsonschema"
	"weft/internal/lang/yaml"
	"weft/internal/serve/lsp/outline"
	"weft/internal/serve/lsp/workspace"
)

// objectRules describes nothing: a page in a browser has no schemas of Kubernetes.
func (d *described) objectRules() outline.Rules {
	return func(*yaml.Tree, yaml.NodeID) jsonschema.Outline { return nil }
}

// isFunctionConfig reports nothing: the page runs no functions of kustomize.
func isFunctionConfig(*workspace.TextDocument) bool { return false }

func (d *described) readItems(*outline.Cursor, jsonschema.Outline) []outline.Item { return nil }

func (d *described) readHover(*outline.Cursor) string { return "" }

func (h *hover) readBy([]string) {}
