package shortcut

import "strings"

// Reference is the name of an image in its parts.
type Reference struct{ Name, Tag, Digest string }

// ParseImage splits the name of an image, such as registry:5000/team/app:1.2@sha256:abc. A colon before the
// last slash is that of a port.
func ParseImage(text string) (r Reference) {
	r.Name, r.Digest, _ = strings.Cut(text, "@")
	if at := strings.LastIndexByte(r.Name, ':'); at > strings.LastIndexByte(r.Name, '/') {
		r.Name, r.Tag = r.Name[:at], r.Name[at+1:]
	}
	return r
}

// ImageName returns the name of an image without its tag and digest.
func ImageName(text string) string { return ParseImage(text).Name }

func (r Reference) String() string {
	text := r.Name
	if r.Tag != "" {
		text += ":" + r.Tag
	}
	if r.Digest != "" {
		text += "@" + r.Digest
	}
	return text
}

// in returns an image with what the entry sets. A tag replaces a digest and a digest a tag, because the other
// would be about another image.
func (x *Image) in(old Reference) Reference {
	next := old
	if x.To != "" {
		next.Name = x.To
	}
	if x.Tag != "" || x.Digest != "" {
		next.Tag, next.Digest = x.Tag, x.Digest
	}
	return next
}
