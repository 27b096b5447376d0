package chart

import "weft/internal/project/engines/wire"

// kept has the files of charts, by wire.Chart.Source. If they are too much, all of them are dropped.
type kept struct {
	sources map[int]*source
	size    int // bytes of their files
}

// maxSources is the most bytes of files that are kept.
const maxSources = 128 << 20

// source returns the files of a chart. They are read once for each source.
func (k *kept) source(r *wire.Chart, read func() (*source, error)) (*source, error) {
	if s, ok := k.sources[r.Source]; ok {
		return s, nil
	}
	s, err := read()
	if err != nil || r.Source == 0 {
		return s, err
	}
	n := 0
	for _, f := range s.list {
		n += len(f.Data)
	}
	if k.sources == nil || k.size+n > maxSources {
		k.sources, k.size = map[int]*source{}, 0
	}
	if n <= maxSources {
		k.sources[r.Source] = s
		k.size += n
	}
	return s, nil
}
