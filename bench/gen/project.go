package main

import "fmt"

// project writes N templates with a schema, data values, overlays and two environments, as users open
// them in an editor.
func project(f *folder, sizes []int) {
	app := &folder{Rand: f.Rand, path: f.path + "/w1"}
	templates(app, sizes)
	if f.err = app.err; f.err != nil {
		return
	}
	f.move("w1/ytt", "config")
	f.write("config/schema.yml", appSchema)
	for i := range 10 {
		kind := overlayKinds[i%4] // only kinds that fit the templates
		f.write(
			fmt.Sprintf("overlays/ov-%03d.yml", i),
			"#@ load(\"@ytt:overlay\", \"overlay\")\n",
			fill(kind.weft, "i", i, "odd", i%2 == 1),
		)
	}
	for i, env := range []string{"dev", "prod"} {
		f.write("envs/"+env+".yml", fill(appEnvironment, "env", env, "replicas", i+1, "odd", i == 1))
	}
	f.write("weft.yml", `weft: 2026
inputs: [config]
overlays: [overlays]
environments:
  dev:
    valueFiles: [envs/dev.yml]
  prod:
    valueFiles: [envs/prod.yml]
`)
}

// appSchema declares the data values of templates.
const appSchema = `#@data/values-schema
---
env: ""
registry: ""
monitoring: false
namespace: ""
#@schema/validation min=1
replicas: 1
env_vars:
- name: ""
  value: ""
ports:
- name: ""
  port: 0
`

const appEnvironment = `env: <<env>>
namespace: team-<<env>>
replicas: <<replicas>>
monitoring: <<odd>>
`
