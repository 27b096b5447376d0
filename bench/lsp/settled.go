//go:build unix

package main

import (
	"errors"
	"fmt"
	"os/exec"
	"time"

	"weft/internal/serve/lsp/protocol"
)

// The budgets of a server that has nothing left to do.
const (
	maxSettled = 1.2 // the processor time from the start, beside that of `weft lint`
	maxCancel  = 100 * ms
)

// schemaEdits are edits of a schema: a type, a default, a description, a validation and a name.
var schemaEdits = []struct{ name, old, text string }{
	{"a comment", "#@schema/validation min=1\n", "#! at least one\n#@schema/validation min=1\n"},
	{"a default", "registry: \"\"", "registry: \"example.com\""},
	{"a description", "replicas: 1", "#@schema/desc \"how many\"\nreplicas: 1"},
	{"a validation", "min=1", "min=1, max=500"},
	{"a new key", "env: \"\"\n", "env: \"\"\nzone: \"\"\n"},
}

// settled measures what a server takes until all diagnostics are published, and after edits of a schema.
func (b *bench) settled() ([]row, error) {
	lint, err := b.lint()
	if err != nil {
		return nil, err
	}
	e, err := b.opened()
	if err != nil {
		return nil, err
	}
	defer e.stop()
	used := e.cpu()
	ratio := float64(used) / float64(lint)
	rows := []row{
		{name: "weft lint", cpu: shown(lint)},
		{
			name: "settled after the start", best: fmt.Sprintf("%.2f × lint", ratio), cpu: shown(used),
			budget: fmt.Sprintf("%.1f × lint", maxSettled), missed: ratio > maxSettled,
		},
	}
	edited, err := e.schemaEdits()
	if err != nil {
		return nil, err
	}
	rows = append(rows, edited...)
	rest := e.atRest()
	rows = append(rows, row{
		name: "memory after these edits", best: megabytes(rest), all: megabytes(e.memory("VmHWM")),
		budget: megabytes(maxMemory), missed: rest > maxMemory,
	})
	cancelled, err := e.cancelled()
	return append(rows, cancelled), err
}

// lint returns the processor time of `weft lint`.
func (b *bench) lint() (time.Duration, error) {
	cmd := exec.Command(b.weft, "lint")
	cmd.Dir = b.project
	if err := cmd.Run(); err != nil {
		return 0, fmt.Errorf("weft lint: %w", err)
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
}

// schemaEdits measures edits of the schema, each until the server has nothing left to do.
func (e *editor) schemaEdits() (rows []row, err error) {
	if err := e.open(schema, "", ""); err != nil {
		return nil, err
	}
	if err := e.settle(); err != nil {
		return nil, err
	}
	for _, x := range schemaEdits {
		var times recorder
		for _, way := range [][2]string{{x.old, x.text}, {x.text, x.old}} {
			times.begin(e)
			if err := e.edit(schema, way[0], way[1]); err != nil {
				return nil, err
			}
			if err := e.settle(); err != nil {
				return nil, err
			}
			times.done(e)
		}
		used := quantile(times.cpu, 1)
		rows = append(rows, row{
			name: "an edit of the schema: " + x.name, cpu: shown(used), budget: shown(time.Second),
			missed: used > time.Second,
		})
	}
	return rows, nil
}

// cancelled measures how long after `$/cancelRequest` previews end, each cancelled a little later than the
// one before. An edit before each makes the server evaluate. Previews that were on their way already do not
// count: the client reads them.
func (e *editor) cancelled() (row, error) {
	const tries = 100
	var times []time.Duration
	for i := range tries {
		old, text := "env: \"\"", "env: \"x\""
		if i%2 == 1 {
			old, text = text, old
		}
		if err := e.edit(schema, old, text); err != nil {
			return row{}, err
		}
		e.stdin.forget()
		done, id := make(chan time.Time, 1), e.calls+1 // the number of the next call
		var answer error
		go func() {
			answer = e.call("weft/preview", map[string]any{
				"textDocument": protocol.DocumentIdentifier{URI: e.uri(template)}, "scope": "project",
			}, nil)
			done <- time.Now()
		}()
		<-e.stdin.sent
		time.Sleep(time.Duration(i*7) * ms)
		began := time.Now()
		e.conn.Notify("$/cancelRequest", map[string]int{"id": id})
		if end := <-done; answer != nil {
			times = append(times, end.Sub(began))
		}
	}
	if len(times) == 0 {
		return row{}, errors.New("no preview was cancelled: all had ended")
	}
	worst := quantile(times, 1)
	return row{
		name: fmt.Sprintf("worst of %d cancelled previews", len(times)), best: shown(worst),
		all: shown(quantile(times, 0.5)), budget: shown(maxCancel), missed: worst > maxCancel,
	}, e.settle()
}
