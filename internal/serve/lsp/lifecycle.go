package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"

	"weft/internal/serve/lsp/feature"
	"weft/internal/serve/lsp/protocol"
	"weft/internal/serve/lsp/report"
	"weft/internal/serve/lsp/wire"
	"weft/internal/serve/lsp/workspace"
)

// clientOptions are initialization options that are not settings: they hold as long as the server runs.
type clientOptions struct {
	trusted   bool // code of the workspace may run: unless the option is set to something other than true
	runsTests bool // the client has the command weft.runTest
}

func readClientOptions(options json.RawMessage) clientOptions {
	var given struct {
		Trusted   json.RawMessage `json:"trusted"`
		RunsTests json.RawMessage `json:"runsTests"`
	}
	if err := wire.Decode(options, &given); err != nil { // not an object
		return clientOptions{trusted: true}
	}
	text := string(given.Trusted)
	return clientOptions{
		trusted: text == "" || text == "null" || text == "true", runsTests: string(given.RunsTests) == "true",
	}
}

func (s *Server) initialize(params json.RawMessage) (wire.Answer, error) {
	var p protocol.InitializeParams
	if err := wire.Decode(params, &p); err != nil {
		return nil, err
	}
	client := readClientOptions(p.InitializationOptions)
	settings, wrong := workspace.ReadSettings(p.InitializationOptions)
	encoding := protocol.ChooseEncoding(p.Capabilities.General.PositionEncodings)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.session != nil {
		return nil, wire.Errorf(wire.InvalidRequest, "the server is initialized already")
	}
	s.client = p.Capabilities
	s.session = workspace.NewSession(workspace.Options{
		Encoding: encoding,
		Trusted:  client.trusted,
		Env:      os.Environ(),
		AllowEnv: s.opt.AllowEnv,
		Engines:  s.opt.Engines,
		Warn:     func(text string) { s.warn([]string{text}) },
		MaxWait:  s.opt.MaxWait,

		MaxKeptTrace: s.opt.MaxKeptTrace,

		NoSchemas: s.missSchemas,

		NoVersions: !p.Capabilities.Workspace.WorkspaceEdit.DocumentChanges,
		RunsTests:  client.runsTests,
		MakesFiles: p.Capabilities.Workspace.WorkspaceEdit.DocumentChanges &&
			slices.Contains(p.Capabilities.Workspace.WorkspaceEdit.ResourceOperations, "create"),
		Snippets: p.Capabilities.TextDocument.Completion.Item.Snippets,
		Observe:  s.reporter.Observe,
		Panicked: s.conn.Panicked,
		Log:      s.opt.Log,
	})
	s.session.Configure(settings)
	s.warn(wrong)
	folders := p.WorkspaceFolders
	if len(folders) == 0 && p.RootURI != "" {
		folders = []protocol.WorkspaceFolder{{URI: p.RootURI}}
	}
	for _, f := range folders {
		s.session.AddFolder(f.URI)
	}
	return func(context.Context) (any, error) {
		return protocol.InitializeResult{
			Capabilities: capabilities(encoding),
			ServerInfo:   protocol.ServerInfo{Name: "weft", Version: s.opt.Version},
		}, nil
	}, nil
}

// initialized sends the requests that a client accepts only after its initialization.
func (s *Server) initialized(session *workspace.Session, _ json.RawMessage) error {
	if s.client.Workspace.DidChangeWatchedFiles.DynamicRegistration {
		go s.call("client/registerCapability", protocol.RegistrationParams{
			Registrations: []protocol.Registration{{
				ID: "weft-files", Method: "workspace/didChangeWatchedFiles",
				RegisterOptions: protocol.WatchOptions{
					Watchers: []protocol.FileSystemWatcher{{GlobPattern: "**/*"}},
				},
			}},
		})
	} else {
		session.Watch()
	}
	if s.client.Workspace.Configuration {
		go s.pullSettings(session)
	}
	return nil
}

// call sends a request whose answer is not needed.
func (s *Server) call(method string, params any) {
	if err := s.conn.Call(s.ctx, method, params, nil); err != nil && s.ctx.Err() == nil {
		s.opt.Log("%s", err)
	}
}

// refresh makes the client send requests again whose answers depend on evaluations.
func (s *Server) refresh(what report.Refresh) {
	w := s.client.Workspace
	for _, x := range []struct {
		what   report.Refresh
		can    protocol.Refresh
		method string
	}{
		{report.RefreshHints, w.InlayHint, "workspace/inlayHint/refresh"},
		{report.RefreshLenses, w.CodeLens, "workspace/codeLens/refresh"},
		{report.RefreshTokens, w.SemanticTokens, "workspace/semanticTokens/refresh"},
	} {
		if what&x.what != 0 && x.can.RefreshSupport {
			go s.call(x.method, nil)
		}
	}
}

// offerProject tells the user that it is unknown which files are rendered together with a document,
// and offers to create a weft.yml.
func (s *Server) offerProject(d *workspace.TextDocument) {
	p := protocol.ShowMessageParams{
		Type: protocol.MessageInfo,
		Message: fmt.Sprintf("weft does not know which files are rendered together with %s, and shows only what "+
			"is wrong in each file by itself. List them in a weft.yml; `weft init` creates one.", d.Path()),
	}
	if s.client.Workspace.ApplyEdit && d.Draft() != nil {
		p.Actions = []protocol.MessageAction{{Title: feature.MakeProject}}
	}
	if p.Actions == nil {
		s.conn.Notify("window/showMessage", protocol.LogMessageParams{Type: p.Type, Message: p.Message})
		return
	}
	var chosen *protocol.MessageAction
	if err := s.conn.Call(s.ctx, "window/showMessageRequest", p, &chosen); err != nil || chosen == nil {
		return
	}
	if edit := d.Draft(); edit != nil {
		s.call("workspace/applyEdit", protocol.ApplyEditParams{Edit: edit})
	}
}

// missSchemas tells the user how to get completion of Kubernetes objects. Nothing is fetched.
func (s *Server) missSchemas(d *workspace.TextDocument) {
	s.conn.Notify("window/showMessage", protocol.LogMessageParams{
		Type: protocol.MessageInfo,
		Message: fmt.Sprintf("To complete and describe Kubernetes objects such as those in %s, weft needs the "+
			"schemas of Kubernetes. Write `output: {validate: {kubernetes: \"1.31\", schemas: [schemas]}}` in "+
			"weft.yml, with a folder that has them or the name of a vendored source. `weft lint --kubernetes 1.31` "+
			"shows how to get them.", d.Path()),
	})
}

// section is the name of weft's section in the settings of the client.
const section = "weft"

// pullSettings asks the client for the settings.
func (s *Server) pullSettings(session *workspace.Session) {
	var values []json.RawMessage
	err := s.conn.Call(s.ctx, "workspace/configuration", protocol.ConfigurationParams{
		Items: []protocol.ConfigurationItem{{Section: section}},
	}, &values)
	if err == nil && len(values) == 1 && string(values[0]) != "null" {
		s.configure(session, values[0])
	}
	if err != nil && s.ctx.Err() == nil {
		s.opt.Log("%s", err)
	}
}

func (s *Server) configure(session *workspace.Session, text json.RawMessage) {
	settings, wrong := workspace.ReadSettings(text)
	s.warn(wrong)
	session.Configure(settings)
}

// warn writes warnings to the log of the client.
func (s *Server) warn(lines []string) {
	for _, line := range lines {
		s.conn.Notify("window/logMessage", protocol.LogMessageParams{
			Type: protocol.MessageWarning, Message: line,
		})
	}
}

func (s *Server) didChangeConfiguration(session *workspace.Session, params json.RawMessage) error {
	if s.client.Workspace.Configuration {
		go s.pullSettings(session)
		return nil
	}
	var p protocol.DidChangeConfigurationParams
	if err := wire.Decode(params, &p); err != nil {
		return err
	}
	var all map[string]json.RawMessage
	if err := wire.Decode(p.Settings, &all); err != nil {
		return err
	}
	if settings, ok := all[section]; ok {
		s.configure(session, settings)
	}
	return nil
}

func didChangeWorkspaceFolders(
	_ *Server, session *workspace.Session, params json.RawMessage,
) error {
	var p protocol.DidChangeFoldersParams
	if err := wire.Decode(params, &p); err != nil {
		return err
	}
	for _, f := range p.Event.Removed {
		session.RemoveFolder(f.URI)
	}
	for _, f := range p.Event.Added {
		session.AddFolder(f.URI)
	}
	return nil
}
