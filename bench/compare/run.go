//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// outcome holds the measurements of one run.
type outcome struct {
	wall, cpu time.Duration
	peak      int64 // bytes of memory
	input     int64 // size of the input
	late      bool  // it was stopped: wall is a lower bound
}

// run runs a contestant once. If check is set, a run without output is an error.
func (b *bench) run(c contestant, check bool) (outcome, error) {
	dir := b.dataOf(c)
	out, err := os.MkdirTemp(b.tmp, "weft-bench-")
	if err != nil {
		return outcome{}, err
	}
	defer os.RemoveAll(out)
	if c.each == "" {
		o, err := b.start(c, dir, out, "", check)
		if err == nil && c.input != "" {
			o.input, err = size(filepath.Join(dir, c.input))
		}
		return o, err
	}
	// Run once for each matching file, one after another.
	files, err := filepath.Glob(filepath.Join(dir, c.each))
	if err != nil || len(files) == 0 {
		return outcome{}, fmt.Errorf("no file matches %s", c.each)
	}
	var sum outcome
	for _, f := range files {
		one, err := b.start(c, dir, out, f, false)
		if err != nil {
			return sum, err
		}
		sum.wall += one.wall
		sum.cpu += one.cpu
		sum.peak = max(sum.peak, one.peak)
		sum.late = sum.late || one.late
	}
	return sum, nil
}

// dataOf returns the folder of a contestant's data.
func (b *bench) dataOf(c contestant) string {
	if b.other != "" && !c.own {
		if dir := filepath.Join(b.other, c.data); exists(dir) {
			return dir
		}
	}
	return filepath.Join(b.data, c.data)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// start runs one command. In its arguments, $D is the data folder, $O the output folder, $F the file of
// this run, $N its name without the extension, and <PATH the content of a file.
func (b *bench) start(c contestant, dir, out, file string, check bool) (outcome, error) {
	name := filepath.Base(file)
	fill := strings.NewReplacer(
		"$D",
		dir,
		"$O",
		out,
		"$F",
		file,
		"$N",
		strings.TrimSuffix(name, filepath.Ext(name)),
	)
	args := strings.Fields(c.args)
	for i, a := range args {
		args[i] = fill.Replace(a)
		if path, ok := strings.CutPrefix(args[i], "<"); ok {
			text, err := os.ReadFile(path)
			if err != nil {
				return outcome{}, err
			}
			args[i] = string(text)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), b.timeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(b.bin, c.program), args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), c.env...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	var output *os.File
	if check {
		var err error
		if output, err = os.Create(filepath.Join(out, ".stdout")); err != nil {
			return outcome{}, err
		}
		defer output.Close()
		cmd.Stdout = output
	}
	began := time.Now()
	err := cmd.Run()
	o := outcome{wall: time.Since(began)}
	if cmd.ProcessState != nil {
		o.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		o.peak = peak(cmd.ProcessState)
	}
	if ctx.Err() != nil {
		o.wall, o.late = b.timeout, true
		return o, nil
	}
	if err != nil {
		if _, ok := errors.AsType[*exec.ExitError](err); ok {
			err = fmt.Errorf("%w: %.300s", err, stderr.Bytes())
		}
		return o, err
	}
	if check && !c.silent && isEmpty(output) && !strings.Contains(c.args, "$O") {
		return o, errors.New("it made nothing")
	}
	return o, nil
}

func size(path string) (int64, error) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

func isEmpty(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Size() == 0
}

// peak returns the peak memory of a program. Linux includes the memory of this program when it started
// the other one, so this program keeps no data.
func peak(p *os.ProcessState) int64 {
	use, ok := p.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		return int64(use.Maxrss)
	}
	return int64(use.Maxrss) * 1024
}
