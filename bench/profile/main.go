// Command profile creates cmd/weft/default.pgo, the profile that the compiler optimizes weft with: a CPU
// profile of the workloads of bench/run.
//
//	bench/run w1 w2 w3 w4 w5 w6 w8                 # makes the data
//	go run ./bench/profile -data DIR -out cmd/weft/default.pgo
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/pprof"
	"time"

	"weft"
)

// workloads are the arguments of each run. Each workload is repeated for the same time, so that a large
// one does not count more.
var workloads = [][]string{
	{"w1-1000/ytt"},
	{"w2-1000-10/docs", "w2-1000-10/overlays"},
	{"w2-10000-50/docs", "w2-10000-50/overlays"},
	{"w3-5000"},
	{"w4-400/config"},
	{"w5-100000/ytt"},
	{"w6-10/crds.yml"},
	{"w8-1000"},
}

func main() {
	data := flag.String("data", "", "folder of the workloads")
	out := flag.String("out", "cmd/weft/default.pgo", "file to write")
	each := flag.Duration("time", 4*time.Second, "how long each workload is run")
	flag.Parse()
	if err := profile(*data, *out, *each); err != nil {
		fmt.Fprintln(os.Stderr, "profile:", err)
		os.Exit(1)
	}
}

func profile(data, out string, each time.Duration) error {
	f, err := os.Create(out)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := pprof.StartCPUProfile(f); err != nil {
		return err
	}
	for _, paths := range workloads {
		opts := weft.Options{}
		for _, p := range paths {
			opts.Inputs = append(opts.Inputs, filepath.Join(data, p))
		}
		for began := time.Now(); time.Since(began) < each; {
			res, err := weft.Render(context.Background(), opts)
			if err != nil {
				return err
			}
			if _, err := res.WriteTo(io.Discard); err != nil {
				return err
			}
		}
	}
	pprof.StopCPUProfile()
	return f.Close()
}
