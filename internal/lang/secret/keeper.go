package secret

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"weft/internal/lang/tree"
)

// Keeper collects the secret texts of all runs of a command, and hides them in everything the command
// prints for people. The zero value has no secrets and costs nothing. It is safe for concurrent use,
// and may be nil.
type Keeper struct {
	mu    sync.Mutex
	texts map[string]bool
	rules *Rules // nil if texts were added since it was built

	declared atomic.Bool // see Declare
}

type keeperKey struct{}

// WithKeeper returns a context whose runs add their secrets to a keeper.
func WithKeeper(ctx context.Context, k *Keeper) context.Context {
	return context.WithValue(ctx, keeperKey{}, k)
}

// KeeperOf returns the keeper of a context, or nil.
func KeeperOf(ctx context.Context) *Keeper {
	k, _ := ctx.Value(keeperKey{}).(*Keeper)
	return k
}

// HideData adds the data of Kubernetes Secrets to the keeper of a context, if it has one.
func HideData(ctx context.Context, docs []tree.Doc) {
	k := KeeperOf(ctx)
	if k == nil {
		return
	}
	for _, d := range docs {
		k.Add(Texts(nil, d.Value))
	}
}

// Add adds secret texts.
func (k *Keeper) Add(texts []string) {
	if k == nil || len(texts) == 0 {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.texts == nil {
		k.texts = map[string]bool{}
	}
	for _, text := range texts {
		if !k.texts[text] {
			k.texts[text], k.rules = true, nil
		}
	}
}

// Declare records that a schema marks a data value as secret, whatever the value is.
func (k *Keeper) Declare() {
	if k != nil {
		k.declared.Store(true)
	}
}

// Declared reports whether a run had a secret data value.
func (k *Keeper) Declared() bool { return k.declared.Load() }

// Mask returns text with the secrets in it hidden.
func (k *Keeper) Mask(text []byte) []byte {
	if k == nil {
		return text
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.texts) == 0 {
		return text
	}
	if k.rules == nil {
		list := make([]string, 0, len(k.texts))
		for text := range k.texts {
			list = append(list, text)
		}
		slices.Sort(list)
		k.rules = new(Rules)
		k.rules.Hide(list)
	}
	masked := k.rules.MaskWritten(string(text))
	if masked == string(text) {
		return text
	}
	return []byte(masked)
}
