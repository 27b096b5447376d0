package lsp

import (
	"context"
	"encoding/json"
	"strconv"
	"sync"

	"weft/internal/serve/lsp/feature"
	"weft/internal/serve/lsp/protocol"
	"weft/internal/serve/lsp/wire"
	"weft/internal/serve/lsp/workspace"
)

// tokenAnswers are the last tokens that were sent for each document, so that later answers can be
// differences.
type tokenAnswers struct {
	mu   sync.Mutex
	next int
	last map[protocol.DocumentURI]protocol.SemanticTokens
}

// keep keeps tokens, and returns them with an id.
func (t *tokenAnswers) keep(uri protocol.DocumentURI, data []uint32) protocol.SemanticTokens {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.last == nil {
		t.last = map[protocol.DocumentURI]protocol.SemanticTokens{}
	}
	t.next++
	tokens := protocol.SemanticTokens{ResultID: strconv.Itoa(t.next), Data: data}
	t.last[uri] = tokens
	return tokens
}

// of returns the answer with an id. It returns false if that is not the last answer.
func (t *tokenAnswers) of(uri protocol.DocumentURI, id string) ([]uint32, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	was, ok := t.last[uri]
	return was.Data, ok && was.ResultID == id
}

func (t *tokenAnswers) forget(uri protocol.DocumentURI) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.last, uri)
}

// allTokens answers with all tokens of a document.
func allTokens(s *Server, session *workspace.Session, params json.RawMessage) (wire.Answer, error) {
	return weftDocumentRequest(func(
		_ context.Context, doc *workspace.TextDocument, p protocol.SemanticTokensParams,
	) (*protocol.SemanticTokens, error) {
		tokens := s.tokens.keep(p.Target(), feature.Tokens(doc, s.reporter.Unread(doc), nil))
		return &tokens, nil
	})(s, session, params)
}

// changedTokens answers with the changes since the last answer, or with all tokens.
func changedTokens(s *Server, session *workspace.Session, params json.RawMessage) (wire.Answer, error) {
	return weftDocumentRequest(func(
		_ context.Context, doc *workspace.TextDocument, p protocol.SemanticTokensDeltaParams,
	) (any, error) {
		was, known := s.tokens.of(p.Target(), p.PreviousResultID)
		tokens := s.tokens.keep(p.Target(), feature.Tokens(doc, s.reporter.Unread(doc), nil))
		if !known {
			return &tokens, nil
		}
		return &protocol.SemanticTokensDelta{
			ResultID: tokens.ResultID, Edits: tokenEdits(was, tokens.Data),
		}, nil
	})(s, session, params)
}

// rangeTokens answers with the tokens of a part of a document.
func rangeTokens(s *Server, session *workspace.Session, params json.RawMessage) (wire.Answer, error) {
	return weftDocumentRequest(func(
		_ context.Context, doc *workspace.TextDocument, p protocol.SemanticTokensRangeParams,
	) (*protocol.SemanticTokens, error) {
		return &protocol.SemanticTokens{Data: feature.Tokens(doc, s.reporter.Unread(doc), &p.Range)}, nil
	})(s, session, params)
}

// tokenEdits returns one edit from the first difference of two answers to the last. Tokens are relative
// to those before, so an edit of the text changes few numbers.
func tokenEdits(was, now []uint32) []protocol.SemanticTokensEdit {
	start := 0
	for start < len(was) && start < len(now) && was[start] == now[start] {
		start++
	}
	end := 0
	for end < len(was)-start && end < len(now)-start &&
		was[len(was)-1-end] == now[len(now)-1-end] {
		end++
	}
	if start == len(was) && start == len(now) {
		return []protocol.SemanticTokensEdit{}
	}
	return []protocol.SemanticTokensEdit{{
		Start: start, DeleteCount: len(was) - start - end, Data: now[start : len(now)-end],
	}}
}
