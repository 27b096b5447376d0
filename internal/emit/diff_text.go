package emit

import "bytes"

// AppendDiff adds the unified diff of a file as it is and as it would be; nothing if they are the same.
func AppendDiff(dst []byte, name string, old, new []byte) []byte {
	if bytes.Equal(old, new) {
		return dst
	}
	return appendUnified(dst, Visible(name), Visible(name), old, new)
}
