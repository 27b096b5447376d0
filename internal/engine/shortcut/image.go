package shortcut

import "strings"

// reference is the name of an image in its parts.
type reference struct{ name, tag, digest string }

// parseImage splits the name of an image, such as registry:5000/team/app:1.2@sha256:abc. A colon before the
// last slash is that of a port.
func parseImage(text string) (r reference) {
	r.name, r.digest, _ = strings.Cut(text, "@")
	if at := strings.LastIndexByte(r.name, ':'); at > strings.LastIndexByte(r.name, '/') {
		r.name, r.tag = r.name[:at], r.name[at+1:]
	}
	return r
}

// ImageName returns the name of an image without its tag and digest.
func ImageName(text string) string { return parseImage(text).name }

func (r reference) String() string {
	text := r.name
	if r.tag != "" {
		text += ":" + r.tag
	}
	if r.digest != "" {
		text += "@" + r.digest
	}
	return text
}

// in returns an image with what the entry sets. A tag replaces a digest and a digest a tag, because the other
// would be about another image.
func (x *Image) in(old reference) reference {
	next := old
	if x.To != "" {
		next.name = x.To
	}
	if x.Tag != "" || x.Digest != "" {
		next.tag, next.digest = x.Tag, x.Digest
	}
	return next
}
