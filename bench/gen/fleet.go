package main

import "fmt"

// fleetTemplates is how many templates the project of a fleet has.
const fleetTemplates = 20

// fleetProject is a project of N environments: 20 templates of about 10 lines, and for each environment one
// file of 10 data values. Every hundredth environment is a canary: it alone reads `canary_tag`.
func fleetProject(f *folder, n int) {
	f.write("weft.yml", `weft: 2026
inputs: [config]
valueFiles: [common.yml]
output: {dir: 'out/{env}'}
environments:
  '*':
    each: envs/*.yml
`)
	f.write("common.yml", "tag: v1\ncanary_tag: v2\n")
	f.write("config/schema.yml", `#@data/values-schema
---
env: ""
region: ""
namespace: ""
domain: ""
tag: ""
canary_tag: ""
canary: false
#@schema/validation min=1
replicas: 1
cpu: ""
memory: ""
log_level: info
owner: ""
`)
	for i := range fleetTemplates {
		f.write(fmt.Sprintf("config/%s.yml", f.name(i)), f.fleetTemplate(i))
	}
	for i := range n {
		f.write(fmt.Sprintf("envs/%s-%06d.yml", f.word(), i), fill(`env: env-<<i>>
region: eu-<<region>>
namespace: team-<<team>>
domain: "<<i>>.example.com"
canary: <<canary>>
replicas: <<replicas>>
cpu: <<cpu>>m
memory: <<memory>>Mi
log_level: <<level>>
owner: <<owner>>
`, "i", i, "region", i%7, "team", i%100, "canary", i%100 == 0, "replicas", i%5+1, "cpu", 100*(i%9+1),
			"memory", 64*(i%13+1), "level", pick(f, []string{"debug", "info", "warn"}), "owner", f.word()))
	}
}

// fleetTemplate is one of the templates of a fleet. The first one reads canary_tag.
func (f *folder) fleetTemplate(i int) string {
	head := "#@ load(\"@ytt:data\", \"data\")\n"
	switch {
	case i == 0:
		return head + `apiVersion: v1
kind: ConfigMap
metadata:
  name: release
data:
  #@ if data.values.canary:
  tag: #@ data.values.canary_tag
  #@ else:
  tag: #@ data.values.tag
  #@ end
`
	case i%2 == 0:
		return head + fill(`apiVersion: v1
kind: ConfigMap
metadata:
  name: <<name>>
  namespace: #@ data.values.namespace
data:
  level: #@ data.values.log_level
  host: #@ "<<name>>." + data.values.domain
  owner: #@ data.values.owner
`, "name", f.name(i))
	default:
		return head + fill(`kind: Deployment
metadata:
  name: <<name>>
  namespace: #@ data.values.namespace
spec:
  replicas: #@ data.values.replicas
  template:
    region: #@ data.values.region
    image: #@ "<<name>>:" + data.values.tag
`, "name", f.name(i))
	}
}
