package cli

import (
	"bytes"
	"sync"

	"github.com/spf13/cobra"

	"weft"
	"weft/internal/lang/parallel"
	"weft/internal/serve/cli/process"
)

// runAll tells what depends on data values in all environments of the project.
func (f *impactFlags) runAll(cmd *cobra.Command) error {
	if named := f.render.project.named; f.all && len(named) > 0 {
		return allAndSome(named)
	}
	p, err := f.render.project.need(cmd)
	if err != nil {
		return err
	}
	if len(p.Names()) == 0 {
		return process.Usagef("%s has no environments", p.Path()).WithHint("remove --all")
	}
	if err := applyFlags(cmd, p, ""); err != nil {
		return err
	}
	base, err := f.render.resolve(cmd.InOrStdin())
	if err != nil {
		return err
	}
	return f.render.how.Run(cmd, base, func(cmd *cobra.Command, base weft.Options) error {
		return f.impactAll(cmd, p, base)
	})
}

func (f *impactFlags) impactAll(cmd *cobra.Command, p *weft.Project, base weft.Options) error {
	names := f.render.project.named
	if f.all {
		names = p.Names()
	}
	texts, errs := make([]string, len(names)), make([]error, len(names))
	var once sync.Once // warnings are those of the first: they are nearly always the same
	parallel.Workers(base.Limits.Parallelism).Each(len(names), func(i int) {
		if cmd.Context().Err() == nil {
			texts[i], errs[i] = f.impactOn(cmd, p, names[i], base, &once)
		}
	})
	if err := cmd.Context().Err(); err != nil {
		return err
	}
	all := environmentReport{form: f.form, count: len(names)}
	for i, name := range names {
		if errs[i] != nil {
			return errs[i]
		}
		if texts[i] != "" {
			all.add(name, texts[i])
		}
	}
	return all.write(cmd)
}

// impactOn returns what depends on the data values in one environment.
func (f *impactFlags) impactOn(
	cmd *cobra.Command, p *weft.Project, env string, base weft.Options, once *sync.Once,
) (string, error) {
	opts, err := p.Options(env, base)
	if err != nil {
		return "", err
	}
	opts.Observe.Timings, opts.Limits.Parallelism = nil, 1
	r, err := f.report(cmd.Context(), opts)
	if err != nil || r.same {
		return "", err
	}
	once.Do(func() { process.MessagesOf(cmd).Warn(r) })
	var b bytes.Buffer
	err = r.Write(&b, f.how(cmd))
	return b.String(), err
}
