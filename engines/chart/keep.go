package chart

import (
	"crypto/sha256"
	"encoding/json"

	"weft/internal/project/engines/wire"
)

// kept has what was loaded and rendered for requests with digests. If it is too much, all of it is dropped.
type kept struct {
	sources map[string]*source
	answers map[[sha256.Size]byte]*wire.Answer
	size    int // of the answers, in bytes
}

// The most charts that are kept, and bytes of answers.
const (
	maxSources = 100
	maxAnswers = 64 << 20
)

// source returns the files of a chart. They are read once for each digest.
func (k *kept) source(r *wire.Chart, read func() (*source, error)) (*source, error) {
	if r.Digest == "" {
		return read()
	}
	key := r.Path + "\x00" + r.Digest
	if s, ok := k.sources[key]; ok {
		return s, nil
	}
	s, err := read()
	if err != nil {
		return nil, err
	}
	if k.sources == nil || len(k.sources) >= maxSources {
		k.sources = map[string]*source{}
	}
	k.sources[key] = s
	return s, nil
}

// answer returns the answer to a request. Equal requests are rendered once, unless that fails.
func (k *kept) answer(r *wire.Request, render func() *wire.Answer) *wire.Answer {
	if r.Chart.Digest == "" {
		return render()
	}
	text, err := json.Marshal(r)
	if err != nil {
		return render()
	}
	key := sha256.Sum256(text)
	if a, ok := k.answers[key]; ok {
		return a
	}
	a := render()
	if a.Error != nil {
		return a
	}
	for i := range a.Docs {
		k.size += len(a.Docs[i].Text)
	}
	if k.answers == nil || k.size > maxAnswers {
		k.answers, k.size = map[[sha256.Size]byte]*wire.Answer{}, 0
	}
	k.answers[key] = a
	return a
}
