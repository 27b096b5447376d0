//go:build unix

package main

// workload is a task, the programs that perform it, and the targets.
type workload struct {
	name        string
	rounds      int // minimum number of rounds
	contestants []contestant
	checks      []check
}

// contestant is a program that performs a workload.
type contestant struct {
	name    string
	program string
	data    string   // the folder with its workload
	own     bool     // the data is always that of command gen
	args    string   // see start
	input   string   // the file whose size is reported
	env     []string // on top of the environment
	each    string   // if not empty, it is run once for each file that matches
	silent  bool     // it prints nothing on success
}

// workloads are the benchmarks of weft, with the targets of the project.
var workloads = []workload{
	{
		name: "w1-1000",
		contestants: on(
			"w1-1000",
			use("weft", "-f $D/ytt"),
			use("ytt", "-f $D/ytt"),
			use("helm", "template x $D/helm"),
			use(
				"jsonnet",
				"-y $D/jsonnet/main.jsonnet",
			),
			use("cue", "export --out text -e out ./cue"),
			oneCore("-f $D/ytt"),
			twoCores("-f $D/ytt"),
		),
		checks: []check{
			faster("helm", 5),
			faster("ytt", 25),
			faster("jsonnet", 0),
			faster("cue", 0),
			memory("ytt", 0.5),
			cores(1.4),
		},
	},
	{
		name: "w2-1000-10",
		contestants: on(
			"w2-1000-10",
			use(
				"weft",
				"-f $D/docs -f $D/overlays",
			),
			use("ytt", "-f $D/docs -f $D/overlays"),
			use("yq", "<$D/yq.expr $D/all.yml"),
			use("kustomize", "build $D/kustomize"),
			variant("weft explain", "explain -f $D/docs -f $D/overlays"),
		),
		checks: []check{
			faster("yq", 30),
			faster("ytt", 60),
			faster("kustomize", 0),
			memory("ytt", 1),
			within("time of explain", "weft explain", "weft", 3),
		},
	},
	{
		name: "w2-10000-50",
		contestants: on(
			"w2-10000-50",
			use(
				"weft",
				"-f $D/docs -f $D/overlays",
			),
			use("ytt", "-f $D/docs -f $D/overlays"),
			use("yq", "<$D/yq.expr $D/all.yml"),
			oneCore("-f $D/docs -f $D/overlays"),
			twoCores("-f $D/docs -f $D/overlays"),
		),
		checks: []check{faster("yq", 60), faster("ytt", 80), memory("ytt", 0.5), cores(1.4)},
	},
	{
		name: "w3-5000",
		contestants: append(
			on("w3-5000", use("weft", "-f $D"), use("ytt", "-f $D")),
			on("w3-1000", variant("weft, w3-1000", "-f $D"))...),
		checks: []check{
			faster("ytt", 30),
			memory("ytt", 1),
			within("growth, 5 ×", "weft", "weft, w3-1000", 5.5),
		},
	},
	{
		name: "w4-400",
		contestants: append(
			on("w4-400", use("weft", "-f $D/config"), use("ytt", "-f $D/config")),
			on("w4-100", variant("weft, w4-100", "-f $D/config"))...),
		checks: []check{
			faster("ytt", 30),
			memory("ytt", 1),
			within("growth, 4 ×", "weft", "weft, w4-100", 4.4),
		},
	},
	{
		name: "w5-100000",
		contestants: on(
			"w5-100000",
			use(
				"weft",
				"-f $D/ytt",
			),
			use("ytt", "-f $D/ytt"),
			use("jsonnet", "$D/jsonnet/main.jsonnet"),
			use("cue", "export $D/cue/main.cue"),
		),
		checks: []check{
			faster("ytt", 1.3),
			faster("jsonnet", 1),
			faster("cue", 1),
			memory("ytt", 1.5),
		},
	},
	plainYAML("w6-10"),
	onCores(plainYAML("w6-50"), "-f $D/crds.yml"),
	{
		name:   "w7",
		rounds: 51,
		contestants: ofGen(on(
			"w7",
			use(
				"weft",
				"-f $D/t.yml",
			),
			contestant{name: "empty", program: "empty", silent: true},
			use("ytt", "-f $D/t.yml"),
			use("kustomize", "build $D/kustomize"),
			use(
				"cue",
				"export $D/t.cue",
			),
			use("yq", ". $D/t.yml"),
			use("helm", "template x $D/helm"),
			use("jsonnet", "$D/t.jsonnet"),
		)),
		checks: []check{
			overEmpty(
				1.3,
			), faster("ytt", 1), faster("kustomize", 1), faster("cue", 1), faster("yq", 1), faster("helm", 1),
			within("", "weft", "jsonnet", 1.2), memory("ytt", 1),
		},
	},
	{
		name: "w8-1000",
		contestants: on(
			"w8-1000",
			use("weft", "-f $D --output-files $O/out"),
			use("ytt", "-f $D --output-files $O/out"),
		),
		checks: []check{faster("ytt", 6), memory("ytt", 1)},
	},
	doubled("w9", "w9-4000", "w9-8000"),
	doubled("w10", "w10-4000", "w10-8000"),
	{
		name: "override-10",
		contestants: ofGen(on(
			"override-10",
			use(
				"weft",
				"override $D/base.yml --overrides-file $D/overrides.yml",
			),
			variant("weft, nothing to override", "override $D/base.yml --overrides {}"),
		)),
		checks: []check{within("time", "weft", "weft, nothing to override", 1.5)},
	},
	{
		name: "fleet-1000-50",
		contestants: ofGen(on(
			"fleet-1000-50",
			use("weft", "fleet --env $D/envs/*.yml -f $D/config --output-files $O/{env}"),
			contestant{
				name:    "weft, -o none",
				program: "weft",
				args:    "fleet --env $D/envs/*.yml -f $D/config -o none",
				silent:  true,
			},
			contestant{
				name:    "1000 runs to files",
				program: "weft",
				args:    "-f $D/config --data-values-file $F --output-files $O/$N",
				each:    "envs/*.yml",
			},
			contestant{
				name:    "1000 runs to nowhere",
				program: "weft",
				args:    "-f $D/config --data-values-file $F",
				each:    "envs/*.yml",
			},
		)),
		checks: []check{
			within("time", "weft", "1000 runs to files", 1.0/4),
			within("time of -o none", "weft, -o none", "1000 runs to nowhere", 1.0/6),
		},
	},
}

// plainYAML prints a stream of plain YAML.
func plainYAML(data string) workload {
	weft := use("weft", "-f $D/crds.yml")
	weft.input = "crds.yml"
	return workload{
		name:        data,
		contestants: on(data, weft, use("ytt", "-f $D/crds.yml"), use("yq", ". $D/crds.yml")),
		checks: []check{
			faster("yq", 15),
			faster("ytt", 40),
			timesInput(5),
			memory("ytt", 0.5),
		},
	}
}

// onCores also compares weft on two processors with weft on one.
func onCores(w workload, args string) workload {
	w.contestants = append(w.contestants, on(w.name, oneCore(args), twoCores(args))...)
	w.checks = append(w.checks, cores(1.4))
	return w
}

// doubled compares two sizes of a workload. The double size must not take much more than twice as long.
func doubled(name, small, large string) workload {
	return workload{
		name: name,
		contestants: append(
			on(large, use("weft", "-f $D"), use("ytt", "-f $D")),
			on(small, variant("weft, "+small, "-f $D"))...),
		checks: []check{within("growth, 2 ×", "weft", "weft, "+small, 2.2), faster("ytt", 0)},
	}
}

// use returns a contestant named like its program.
func use(program, args string) contestant {
	return contestant{name: program, program: program, args: args}
}

// variant returns weft with other arguments.
func variant(name, args string) contestant {
	return contestant{name: name, program: "weft", args: args}
}

func oneCore(args string) contestant {
	return contestant{
		name:    "weft, 1 core",
		program: "weft",
		args:    args,
		env:     []string{"GOMAXPROCS=1"},
	}
}

func twoCores(args string) contestant {
	return contestant{
		name:    "weft, 2 cores",
		program: "weft",
		args:    args,
		env:     []string{"GOMAXPROCS=2"},
	}
}

// on sets the data of contestants.
func on(data string, list ...contestant) []contestant {
	for i := range list {
		list[i].data = data
	}
	return list
}

// ofGen makes contestants use the data of command gen, even if other data is given.
func ofGen(list []contestant) []contestant {
	for i := range list {
		list[i].own = true
	}
	return list
}
