package load

// Memory is a file whose bytes the caller has at hand. Nobody may change them.
type Memory struct {
	Path string // its relative path, with forward slashes
	Data []byte
}

// Disk is where the input lies on disk, or "" if it came from elsewhere.
func (in Input) Disk() string {
	if in.source.fsys != nil {
		return ""
	}
	return in.source.path
}
