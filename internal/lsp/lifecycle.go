package lsp

import (
	"context"
	"encoding/json"

	"weft/internal/lsp/project"
	"weft/internal/lsp/protocol"
	"weft/internal/lsp/wire"
)

// initializationOptions is what clients may say at the beginning.
type initializationOptions struct {
	// Trusted says that code of the workspace may run. Clients that know nothing of trust leave it out.
	Trusted *bool `json:"trusted"`
	project.Settings
}

// initialize begins the session.
func (s *Server) initialize(params json.RawMessage) (wire.Answer, error) {
	var p protocol.InitializeParams
	if err := wire.Decode(params, &p); err != nil {
		return nil, err
	}
	var opt initializationOptions
	if err := wire.Decode(p.InitializationOptions, &opt); err != nil {
		return nil, err
	}
	encoding := protocol.ChooseEncoding(p.Capabilities.General.PositionEncodings)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.session != nil {
		return nil, wire.Errorf(wire.InvalidRequest, "the server is initialized already")
	}
	s.client = p.Capabilities
	s.session = project.NewSession(project.Options{
		Encoding: encoding,
		Trusted:  opt.Trusted == nil || *opt.Trusted,
		Debounce: s.opt.Quiet,
		Patience: s.opt.Patience,

		NoVersions: !p.Capabilities.Workspace.WorkspaceEdit.DocumentChanges,
		Publish: func(p protocol.PublishDiagnosticsParams) {
			s.conn.Notify("textDocument/publishDiagnostics", p)
		},
		Log: s.opt.Log,
	})
	s.session.Configure(opt.Settings)
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

// initialized asks the client for what it could not be asked before.
func (s *Server) initialized(session *project.Session, _ json.RawMessage) error {
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

// call sends a request whose answer says nothing.
func (s *Server) call(method string, params any) {
	if err := s.conn.Call(s.ctx, method, params, nil); err != nil && s.ctx.Err() == nil {
		s.opt.Log("%s", err)
	}
}

// section is the name of the settings.
const section = "weft"

// pullSettings asks the client for the settings.
func (s *Server) pullSettings(session *project.Session) {
	var values []json.RawMessage
	err := s.conn.Call(s.ctx, "workspace/configuration", protocol.ConfigurationParams{
		Items: []protocol.ConfigurationItem{{Section: section}},
	}, &values)
	if err == nil && len(values) == 1 && string(values[0]) != "null" {
		err = configure(session, values[0])
	}
	if err != nil && s.ctx.Err() == nil {
		s.opt.Log("%s", err)
	}
}

func configure(session *project.Session, text json.RawMessage) error {
	var settings project.Settings
	if err := wire.Decode(text, &settings); err != nil {
		return err
	}
	session.Configure(settings)
	return nil
}

func (s *Server) didChangeConfiguration(session *project.Session, params json.RawMessage) error {
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
	if own, ok := all[section]; ok {
		return configure(session, own)
	}
	return nil
}

func didChangeWorkspaceFolders(
	_ *Server, session *project.Session, params json.RawMessage,
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
