package weft_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing/fstest"
	"time"

	"weft"
)

// Files in memory go in, documents come out.
func Example() {
	res, err := weft.Render(context.Background(), weft.Options{
		Files: []weft.File{
			{Path: "schema.yml", Data: []byte("#@data/values-schema\n---\nreplicas: 1\n")},
			{Path: "app.yml", Data: []byte("#@ load(\"@ytt:data\", \"data\")\n---\nname: app\nreplicas: #@ data.values.replicas\n")},
		},
		DataValues: weft.DataValues{KVYAML: []string{"replicas=3"}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, _ = res.WriteTo(os.Stdout)
	// Output:
	// name: app
	// replicas: 3
}

// Inputs may lie in any file system: one that is embedded in a program, an archive, or a directory that nothing can lead out of, as os.Root gives it.
func ExampleRender_fileSystem() {
	fsys := fstest.MapFS{
		"config/app.yml":     {Data: []byte("name: app\n")},
		"config/overlay.yml": {Data: []byte("#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.all\n---\n#@overlay/match missing_ok=True\nlabels: {team: a}\n")},
	}
	res, err := weft.Render(context.Background(), weft.Options{FS: fsys, Inputs: []string{"config"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, _ = res.WriteTo(os.Stdout)
	// Output:
	// name: app
	// labels:
	//   team: a
}

// What is wrong with the input is an *Error, whose text has a line for each thing that is wrong, with its place. Render shows it as the command does.
func ExampleError() {
	_, err := weft.Render(context.Background(), weft.Options{
		Files: []weft.File{{Path: "app.yml", Data: []byte("a: &label 1\nb: *labels\n")}},
	})
	if e, ok := errors.AsType[*weft.Error](err); ok {
		fmt.Println(e)
		fmt.Println()
		_ = e.Render(os.Stdout, false)
	}
	// Output:
	// app.yml:2:4: unknown anchor 'labels' referenced
	//
	// app.yml:2:4: error: unknown anchor 'labels' referenced [yaml/anchor]
	//   |
	// 2 | b: *labels
	//   |    ^^^^^^^
	// hint: did you mean *label?
}

// Programs such as editors take the parts of an error: here its place, its code and how to mend it.
func ExampleError_Diagnostics() {
	_, err := weft.Render(context.Background(), weft.Options{
		Files: []weft.File{{Path: "app.yml", Data: []byte("a: &label 1\nb: *labels\n")}},
	})
	if e, ok := errors.AsType[*weft.Error](err); ok {
		for _, d := range e.Diagnostics() {
			fmt.Printf("file %s, line %d, columns %d to %d\n", d.File, d.Line, d.Column, d.EndColumn)
			fmt.Println(d.Severity, d.Code)
			fmt.Println(d.Hint)
		}
	}
	// Output:
	// file app.yml, line 2, columns 4 to 11
	// error yaml/anchor
	// did you mean *label?
}

// A context ends a run that takes too long; the error is then the context's.
func ExampleRender_timeout() {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	_, err := weft.Render(ctx, weft.Options{
		Files: []weft.File{{Path: "app.yml", Data: []byte("#@ def f():\n#@   for i in range(1000000000):\n#@     x = i\n#@   end\n#@ end\n---\na: #@ f()\n")}},
	})
	fmt.Println(err)
	// Output:
	// context deadline exceeded
}
