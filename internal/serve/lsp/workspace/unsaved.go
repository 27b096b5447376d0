package workspace

import (
	"net/url"
	"path"
	"strings"

	"weft/internal/serve/lsp/protocol"
)

// unsavedScheme is the scheme of the URIs that editors give documents that have not been saved.
const unsavedScheme = "untitled"

// placeUnsaved makes a folder in memory for a document that has not been saved: it is a project by itself, and
// sees no other files. In a workspace that is not trusted, nothing is evaluated, so there is no such folder.
func (s *Session) placeUnsaved(uri protocol.DocumentURI, language string) {
	name := unsavedName(uri, language)
	if name == "" || !s.opt.Trusted {
		return
	}
	s.dropUnsaved(uri) // a client may open a document twice
	f := newFolder(s, "", emptyDisk())
	s.mu.Lock()
	defer s.mu.Unlock()
	s.unsaved[uri] = placement{folder: f, path: name}
}

// dropUnsaved removes the folder of a document that has not been saved, if there is one.
func (s *Session) dropUnsaved(uri protocol.DocumentURI) {
	s.mu.Lock()
	x, ok := s.unsaved[uri]
	delete(s.unsaved, uri)
	s.mu.Unlock()
	if ok {
		x.folder.close()
	}
}

// unsavedAt returns the folder of a document that has not been saved. It returns false if there is none.
func (s *Session) unsavedAt(uri protocol.DocumentURI) (placement, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	x, ok := s.unsaved[uri]
	return x, ok
}

// unsavedName returns the name of a document that has not been saved: that of its tab, with an extension for
// its language. It returns "" for other documents, and for those in the languages of other servers.
func unsavedName(uri protocol.DocumentURI, language string) string {
	extension, ok := map[string]string{
		protocol.LanguageTemplate: ".yml", protocol.LanguageScript: ".star", protocol.LanguageText: ".txt",
	}[language]
	u, err := url.Parse(string(uri))
	if !ok || err != nil || u.Scheme != unsavedScheme {
		return ""
	}
	title, err := url.PathUnescape(u.Opaque)
	if err != nil || title == "" {
		title = u.Path
	}
	title = path.Base(path.Clean("/" + title))
	if title == "/" {
		title = unsavedScheme
	}
	return strings.TrimSuffix(title, extension) + extension
}

// settings returns the settings of the user, without those about files for a document that has not been saved.
func (f *Folder) settings() Settings {
	settings := f.session.currentSettings()
	if f.root == "" {
		settings.Inputs, settings.DataValues, settings.FileMarks = nil, nil, nil
	}
	return settings
}
