package mcptest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

type with = map[string]any

// step is one call of a task, and what its answer must and must not say.
type step struct {
	edit  [3]string // before the call, in this file, this text is replaced by that one
	tool  string
	with  with
	want  []string
	never []string
}

// tasks are questions that people give agents. An agent that makes these calls has the answers.
var tasks = []struct {
	question string
	steps    []step
}{
	{"Which environments are there, and which is the default?", []step{
		{tool: "environments", want: []string{"quickstart  weft.yml:6  default", "production  weft.yml:7"}},
	}},
	{"Which values can I set, and of which type?", []step{
		{tool: "values", want: []string{
			"name = hello", "replicas = 2", "integer", "public = true", "boolean",
			"# reachable from outside the cluster",
		}},
	}},
	{"Which line sets the name in production?", []step{
		{
			tool: "values", with: with{"environment": "production", "value": "name"},
			want: []string{"name = shop  weft.yml:7"}, never: []string{"replicas"},
		},
	}},
	{"Which line makes production have five replicas?", []step{
		{
			tool: "blame",
			with: with{"environment": "production", "document": "Deployment/shop", "path": "spec.replicas"},
			want: []string{"5  production.yml:10", "changed by overlay production.yml:4", "quickstart/app.yml:14"},
		},
	}},
	{"Would the value replicas change production?", []step{
		{
			tool: "impact", with: with{"environment": "production", "value": "replicas"},
			want: []string{"overwritten by production.yml:10"},
		},
		{
			tool: "impact", with: with{"environment": "production", "set": with{"replicas": 7}},
			want: []string{"nothing changes"},
		},
	}},
	{"What depends on the name?", []step{
		{tool: "impact", with: with{"value": "name"}, want: []string{
			"Deployment/hello  metadata.name", "Deployment/hello  spec.selector.matchLabels.app",
			"Service/hello     spec.selector.app", "quickstart/app.yml:22",
		}},
	}},
	{"What happens if the application is not public?", []step{
		{
			tool: "impact", with: with{"set": with{"public": false}},
			want: []string{"- Service/hello", "= 1 document"}, never: []string{"Deployment"},
		},
	}},
	{"May the name be empty?", []step{
		{tool: "impact", with: with{"set": with{"name": ""}}, want: []string{
			"must be: length >= 1", "quickstart/schema.yml:4:1",
		}},
	}},
	{"Why does production have the label stage?", []step{
		{tool: "explain", with: with{"environment": "production"}, want: []string{
			"metadata.labels.stage: added \"production\" (production.yml:8)",
		}},
	}},
	{"How does production differ from quickstart, and why?", []step{
		{tool: "diff", with: with{"from": "quickstart", "to": "production"}, want: []string{
			"name hello → shop  (weft.yml:7)", "production.yml (only in production)", "spec.replicas: 2 → 5",
		}},
	}},
	{"Show the Service of production.", []step{
		{
			tool: "render", with: with{"environment": "production", "document": "Service"},
			want: []string{"# Service/shop  quickstart/app.yml:18", "  - port: 80"}, never: []string{"Deployment"},
		},
	}},
	{"Which documents does production have?", []step{
		{tool: "render", with: with{"environment": "production"}, want: []string{
			"2 documents", "Deployment/shop  quickstart/app.yml:7", "Service/shop",
		}},
	}},
	{"Which ports are exposed anywhere?", []step{
		{tool: "render", with: with{"path": "spec.ports[*].port"}, want: []string{
			"Service/hello  spec.ports[0].port  quickstart/app.yml:26", "\n80\n",
		}},
	}},
	{"Is everything fine?", []step{
		{tool: "check", want: []string{"lint: 0 findings; all tests pass"}},
	}},
	{"Change the replicas of production to six, and check it.", []step{
		{
			edit: [3]string{"production.yml", "replicas: 5", "replicas: 6"},
			tool: "check", want: []string{"2 tests failed", "expected 5, but found 6", "tests/quickstart.test.yml:18"},
		},
		{
			edit: [3]string{"tests/quickstart.test.yml", "spec.replicas: 5", "spec.replicas: 6"},
			tool: "check", want: []string{"1 test failed", "tests/golden/production.yml:10"},
		},
		{
			edit: [3]string{"tests/golden/production.yml", "replicas: 5", "replicas: 6"},
			tool: "check", want: []string{"all tests pass"},
		},
		{
			tool: "render", with: with{"environment": "production", "path": "spec.replicas"},
			want: []string{"production.yml:10", "\n6\n"},
		},
	}},
	{"I want six replicas in production. What do I change?", []step{
		{
			tool: "suggest",
			with: with{"environment": "production", "changes": []string{"Deployment/shop:spec.replicas=6"}},
			want: []string{"production.yml:10", "-  replicas: 5", "+  replicas: 6", "nothing is written"},
		},
		{
			tool: "render", with: with{"environment": "production", "path": "spec.replicas"}, want: []string{"\n5\n"},
		},
	}},
	{"I misspelled a kind in an overlay. What is wrong?", []step{
		{
			edit: [3]string{"production.yml", `"Deployment"`, `"Deploymnt"`},
			tool: "check", with: with{"environment": "production"},
			want: []string{"production.yml:4:1", "overlay/match-count"},
		},
		{
			tool: "explain", with: with{"environment": "production"}, want: []string{"1 error", "Deploymnt"},
		},
	}},
	{"I broke a template. Where?", []step{
		{
			edit: [3]string{"quickstart/app.yml", "data.values.replicas", "data.values.replcas"},
			tool: "render", want: []string{"quickstart/app.yml:14", "did you mean .replicas?"},
		},
	}},
	{"Where does the host of the portal come from, in the other project?", []step{
		{tool: "environments", with: with{"project": "project-scenarios"}, want: []string{"replicated", "single"}},
		{
			tool: "blame", with: with{"project": "project-scenarios", "environment": "replicated", "path": "spec.host"},
			want: []string{"project-scenarios/scenarios/replicated/values.yml:2", "ingress.domain"},
		},
	}},
	{"Why is there no Ingress in single?", []step{
		{
			tool: "diff", with: with{"project": "project-scenarios", "from": "single", "to": "replicated"},
			want: []string{
				"ingress.domain \"\" → example.com",
				"project-scenarios/scenarios/replicated/values.yml:2",
			},
		},
	}},
	{"A project needs a value that nothing sets. What would it render?", []step{
		{
			tool: "render", with: with{"project": "project-variants", "environment": "dev"},
			want: []string{"data value 'dev.version' is required", "project-variants/weft.yml:3"},
		},
		{
			tool: "render",
			with: with{"project": "project-variants", "environment": "dev", "set": with{"dev.version": "1"}},
			want: []string{"project-variants/config/controller.yml"},
		},
	}},
	{"What did my edit do to production, and to nothing else?", []step{
		{
			tool: "diff", with: with{"environment": "production", "revision": "HEAD"},
			want: []string{"nothing changes"},
		},
		{
			edit: [3]string{"production.yml", "replicas: 5", "replicas: 6"},
			tool: "diff", with: with{"environment": "production", "revision": "HEAD"},
			want: []string{"production.yml", "~ Deployment/shop  spec.replicas: 5 → 6"},
		},
		{
			tool: "diff", with: with{"environment": "quickstart", "revision": "HEAD"},
			want: []string{"nothing changes"},
		},
	}},
	{"What are the values of the files in quickstart?", []step{
		{
			tool: "values", with: with{"files": []string{"quickstart"}},
			want: []string{"there is a project here: 'weft.yml'", "name `environment`"}, never: []string{"hello"},
		},
		{
			tool: "values", with: with{"environment": "quickstart"},
			want: []string{"name = hello  quickstart/schema.yml:5"},
		},
	}},
}

// TestTasks answers each question in a copy of the examples.
func TestTasks(t *testing.T) {
	if len(tasks) < 20 {
		t.Errorf("there are %d tasks", len(tasks))
	}
	for _, task := range tasks {
		t.Run(task.question, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "examples")
			if err := os.CopyFS(dir, os.DirFS("../../examples")); err != nil {
				t.Fatal(err)
			}
			commit(t, dir)
			s := connect(t, dir)
			for _, step := range task.steps {
				if file := step.edit[0]; file != "" {
					replace(t, filepath.Join(dir, file), step.edit[1], step.edit[2])
				}
				text := textOf(t, call(t, s, step.tool, step.with))
				for _, want := range step.want {
					if !strings.Contains(text, want) {
						t.Errorf("%s %v: %q is missing in\n%s", step.tool, step.with, want, text)
					}
				}
				for _, never := range step.never {
					if strings.Contains(text, never) {
						t.Errorf("%s %v: %q is in\n%s", step.tool, step.with, never, text)
					}
				}
			}
		})
	}
}

// commit makes a git repository of a directory.
func commit(t *testing.T, dir string) {
	t.Helper()
	for _, line := range []string{
		"init -q -b main", "add -A", "-c user.name=a -c user.email=a@example.com commit -q -m first",
	} {
		cmd := exec.Command("git", strings.Fields(line)...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", line, err, out)
		}
	}
}

// replace edits a file.
func replace(t *testing.T, file, from, to string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(text), from) {
		t.Fatalf("%s does not have %q: %v", file, from, err)
	}
	if err := os.WriteFile(file, []byte(strings.ReplaceAll(string(text), from, to)), 0o644); err != nil {
		t.Fatal(err)
	}
}
