package vendir

import (
	"path"
	"strings"

	"weft/internal/lang/tree"
)

// kinds returns what translates the contents that weft has sources for. Most are one source; a release of
// GitHub is one for each of its files.
func kinds() map[string]func(t *translator, c content, v tree.Value) []Source {
	return map[string]func(t *translator, c content, v tree.Value) []Source{
		"git":           (*translator).git,
		"http":          (*translator).http,
		"image":         (*translator).image,
		"imgpkgBundle":  (*translator).bundle,
		"helmChart":     (*translator).chart,
		"githubRelease": (*translator).release,
		"directory":     (*translator).local,
	}
}

func (t *translator) git(c content, v tree.Value) []Source {
	lock, _ := c.lock.Lookup("git")
	s := Source{Name: c.name, Kind: "git", From: v.TextAt("url"), Range: selection(v, "refSelection")}
	if s.Range == "" {
		s.Range = strings.TrimPrefix(v.TextAt("ref"), "origin/")
	}
	s.Version = lockedTag(lock)
	if s.Version == "" {
		s.Version = lock.TextAt("sha")
	}
	s.settle()
	t.credentials(c, v, s.Name, "git's own credentials")
	if _, ok := v.Lookup("verification"); ok {
		t.note(c.at, "verification: weft does not check signatures of '%s'; weft.lock has the commit and the "+
			"digest of its files", s.Name)
	}
	return []Source{s}
}

// lockedTag returns the tag that vendir.lock.yml has for a commit, if it has one that is a name. Without one,
// git describes the commit by the tag before it.
func lockedTag(lock tree.Value) string {
	for _, tag := range texts(lock, "tags") {
		if at := strings.LastIndex(tag, "-g"); at < 0 || strings.Trim(tag[at+2:], "0123456789abcdef") != "" {
			return tag
		}
	}
	return ""
}

func (t *translator) http(c content, v tree.Value) []Source {
	s := Source{Name: c.name, Kind: "http", From: v.TextAt("url"), SHA256: v.TextAt("sha256")}
	t.credentials(c, v, s.Name, "your netrc file")
	if v.TextAt("disableUnpack") == "true" {
		t.note(c.at, "disableUnpack: weft unpacks archives; '%s' is their files", s.Name)
	}
	return []Source{s}
}

func (t *translator) image(c content, v tree.Value) []Source {
	lock, _ := c.lock.Lookup("image")
	return t.oci(c, v, v.TextAt("url"), lock.TextAt("url"))
}

func (t *translator) bundle(c content, v tree.Value) []Source {
	lock, _ := c.lock.Lookup("imgpkgBundle")
	if v.TextAt("recursive") == "true" {
		t.note(c.at, "recursive: weft fetches '%s' only; add the bundles in it as sources", c.name)
	}
	return t.oci(c, v, v.TextAt("image"), lock.TextAt("image"))
}

// oci translates a reference to a registry, and the one with a digest of vendir.lock.yml.
func (t *translator) oci(c content, v tree.Value, ref, locked string) []Source {
	s := Source{Name: c.name, Kind: "oci", Range: selection(v, "tagSelection")}
	version := ""
	s.From, version = splitReference(ref)
	if s.Range == "" {
		s.Range = version
	}
	_, s.Version = splitReference(locked)
	s.settle()
	t.credentials(c, v, s.Name, "docker login")
	return []Source{s}
}

// splitReference splits registry/path:tag@digest. The digest counts if there are both.
func splitReference(ref string) (name, version string) {
	if name, digest, ok := strings.Cut(ref, "@"); ok {
		name, _ = splitReference(name)
		return name, digest
	}
	at := strings.LastIndexByte(ref, ':')
	if at < 0 || strings.Contains(ref[at:], "/") { // the colon of a port
		return ref, ""
	}
	return ref[:at], ref[at+1:]
}

func (t *translator) chart(c content, v tree.Value) []Source {
	lock, _ := c.lock.Lookup("helmChart")
	repository, _ := v.Lookup("repository")
	s := Source{
		Name: c.name, Kind: "chart", From: repository.TextAt("url"), Chart: v.TextAt("name"),
		Range: v.TextAt("version"), Version: lock.TextAt("version"),
	}
	if strings.HasPrefix(s.From, "oci://") {
		s.From, s.Chart = strings.TrimSuffix(s.From, "/")+"/"+s.Chart, ""
	}
	s.settle()
	t.credentials(c, repository, s.Name, "your netrc file or docker login")
	return []Source{s}
}

// release translates a release of GitHub to the URLs of its files.
func (t *translator) release(c content, v tree.Value) []Source {
	lock, _ := c.lock.Lookup("githubRelease")
	slug, tag := v.TextAt("slug"), v.TextAt("tag")
	if locked := lock.TextAt("tag"); locked != "" {
		tag = locked
	} else if tag == "" {
		_, tag = path.Split(lock.TextAt("url"))
	}
	names := texts(v, "assetNames")
	if tag == "" || len(names) == 0 {
		t.note(c.at, "'%s' is left out: write the URL of each file of the release of %s as a source `http`",
			c.dir, slug)
		return nil
	}
	var list []Source
	for _, name := range names {
		if strings.ContainsAny(name, "*?[") {
			t.note(c.at, "'%s' of %s is left out: write the URL of the file as a source `http`", name, slug)
			continue
		}
		list = append(list, Source{
			Name: c.name, Kind: "http", From: "https://github.com/" + slug + "/releases/download/" + tag + "/" + name,
		})
	}
	t.credentials(c, v, c.name, "your netrc file")
	return list
}

func (t *translator) local(c content, v tree.Value) []Source {
	return []Source{{Name: c.name, Kind: "dir", From: path.Join(t.dir, v.TextAt("path"))}}
}

// selection returns the constraint of a selection by version, or "".
func selection(v tree.Value, key string) string {
	s, _ := v.Lookup(key)
	by, _ := s.Lookup("semver")
	return by.TextAt("constraints")
}

// settle decides on the version: what vendir.lock.yml has, so that nothing changes by the translation.
func (s *Source) settle() {
	if s.Version == "" || s.Version == s.Range {
		s.Version, s.Range = s.Range, ""
	}
}

// credentials notes that a source needs some, which are never in weft.yml.
func (t *translator) credentials(c content, v tree.Value, name, instead string) {
	if _, ok := v.Lookup("secretRef"); ok {
		t.note(c.at, "secretRef: '%s' is fetched with %s", name, instead)
	}
}
