package modules

import (
	"errors"

	"go.starlark.net/starlark"

	"weft/internal/engine/overlay"
	"weft/internal/engine/overlay/explain"
	"weft/internal/lang/lazy"
)

var overlayModule = lazy.Value[starlark.StringDict]{New: func() starlark.StringDict {
	return export("overlay", map[string]function{
		"apply":   overlayApply,
		"index":   matcher(overlay.Index),
		"map_key": matcher(overlay.MapKey),
		"subset":  matcher(overlay.Subset),
		"and_op":  matcher(overlay.And),
		"or_op":   matcher(overlay.Or),
		"not_op":  matcher(overlay.Not),
		"path":    matcher(overlay.Path),
	}, starlark.StringDict{
		"all":       overlay.All,
		"documents": starlark.NewBuiltin("overlay.documents", overlayDocuments),
	})
}}

// overlayApply implements overlay.apply(left, right, ...).
func overlayApply(
	thread *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple,
) (starlark.Value, error) {
	if len(args) == 0 {
		return nil, errors.New("expected at least one argument")
	}
	opt := overlay.Options{Explain: explain.New}
	if hook := hostOf(thread).Overlay; hook != nil {
		opt = hook(thread)
	}
	return overlay.Values(thread, args[0], args[1:], opt)
}

// overlayDocuments implements overlay.documents(by=, path=). Its errors name it.
func overlayDocuments(
	thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple,
) (starlark.Value, error) {
	return overlay.Documents(thread, args, kwargs)
}

// matcher adapts a function that returns a matcher.
func matcher(f func(starlark.Tuple, []starlark.Tuple) (*overlay.Matcher, error)) function {
	return func(_ *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		m, err := f(args, kwargs)
		if err != nil {
			return nil, err
		}
		return m, nil
	}
}
