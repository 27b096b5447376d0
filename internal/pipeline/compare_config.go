//go:build !js

package pipeline

import "reflect"

// sameConfig reports whether two configurations are the same.
func sameConfig(x, y Config) bool { return reflect.DeepEqual(x, y) }
