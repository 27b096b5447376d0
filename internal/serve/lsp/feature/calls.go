package feature

import (
	"context"
	"path"

	"weft/internal/serve/lsp/index"
	"weft/internal/serve/lsp/protocol"
	"weft/internal/serve/lsp/workspace"
)

// PrepareCalls returns the function at a place, or null.
func PrepareCalls(
	ctx context.Context, doc *workspace.TextDocument, p protocol.CallHierarchyPrepareParams,
) ([]protocol.CallHierarchyItem, error) {
	w, s, err := lookup(ctx, doc, p.Position)
	if err != nil || s == nil || !s.isSymbol() || s.symbol.Bound().Kind != index.FunctionName {
		return nil, err
	}
	if item, ok := w.function(s.symbol); ok {
		return []protocol.CallHierarchyItem{item}, nil
	}
	return nil, nil
}

// function returns a function as an item of the call hierarchy.
func (w *indexedDoc) function(fn index.Symbol) (protocol.CallHierarchyItem, bool) {
	b := fn.Bound()
	around := fn.Source.File.Functions[b.Function].At
	name, ok := w.positions(fn.Source, b.At)
	if !ok {
		return protocol.CallHierarchyItem{}, false
	}
	all, ok := w.positions(fn.Source, around)
	if !ok {
		all = name
	}
	return protocol.CallHierarchyItem{
		Name: b.Name, Kind: protocol.SymbolFunction, Detail: fn.Source.Path,
		URI: w.snap.URI(fn.Source.Path), Range: all, SelectionRange: name,
	}, true
}

// file returns a file as an item of the call hierarchy, for calls outside functions.
func (w *indexedDoc) file(src *index.Source) protocol.CallHierarchyItem {
	return protocol.CallHierarchyItem{
		Name: path.Base(src.Path), Kind: protocol.SymbolFile, Detail: src.Path,
		URI: w.snap.URI(src.Path),
	}
}

// item returns the function of an item of the call hierarchy, or only its file.
func item(
	ctx context.Context, doc *workspace.TextDocument, of protocol.CallHierarchyItem,
) (w *indexedDoc, fn index.Symbol, err error) {
	if of.Kind == protocol.SymbolFile {
		w, err = newIndexedDoc(ctx, doc, false)
		return w, index.Symbol{}, err
	}
	w, s, err := lookup(ctx, doc, of.SelectionRange.Start)
	if err != nil || s == nil || !s.isSymbol() || s.symbol.Bound().Kind != index.FunctionName {
		return nil, index.Symbol{}, err
	}
	return w, s.symbol, nil
}

// IncomingCalls returns the functions and files that call a function.
func IncomingCalls(
	ctx context.Context, doc *workspace.TextDocument, p protocol.CallsParams,
) ([]protocol.IncomingCall, error) {
	list := []protocol.IncomingCall{}
	w, fn, err := item(ctx, doc, p.Item)
	if err != nil || w == nil || fn.Source == nil {
		return list, err
	}
	type caller struct {
		src *index.Source
		fn  int
	}
	found := map[caller]int{}
	w.all.CallsOf(fn, func(src *index.Source, c *index.Call) {
		at, ok := w.positions(src, c.At)
		if !ok {
			return
		}
		by := caller{src, c.Caller}
		i, ok := found[by]
		if !ok {
			i = len(list)
			from := w.file(src)
			if c.Caller >= 0 {
				if f, ok := w.function(index.Symbol{Source: src, ID: src.File.Functions[c.Caller].Binding}); ok {
					from = f
				}
			}
			found[by] = i
			list = append(list, protocol.IncomingCall{From: from})
		}
		list[i].FromRanges = append(list[i].FromRanges, at)
	})
	return list, nil
}

// OutgoingCalls returns the functions that a function or file calls.
func OutgoingCalls(
	ctx context.Context, doc *workspace.TextDocument, p protocol.CallsParams,
) ([]protocol.OutgoingCall, error) {
	list := []protocol.OutgoingCall{}
	w, fn, err := item(ctx, doc, p.Item)
	if err != nil || w == nil {
		return list, err
	}
	src, number := w.own, -1
	if fn.Source != nil {
		src, number = fn.Source, fn.Bound().Function
	}
	found := map[index.Symbol]int{}
	for _, c := range src.File.Calls {
		to := w.all.Resolve(src, c.Callee)
		at, ok := w.positions(src, c.At)
		if c.Caller != number || to.Bound().Kind != index.FunctionName || !ok {
			continue
		}
		i, ok := found[to]
		if !ok {
			f, ok := w.function(to)
			if !ok {
				continue
			}
			i = len(list)
			found[to] = i
			list = append(list, protocol.OutgoingCall{To: f})
		}
		list[i].FromRanges = append(list[i].FromRanges, at)
	}
	return list, nil
}
