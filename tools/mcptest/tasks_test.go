package mcptest

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
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

// workTasks are those of the workspaces.
var workTasks = []struct {
	in, question string
	steps        []step
}{
	{"store", "Raise the memory of the worker, in prod only.", []step{{
		tool: "suggest", with: with{"environment": "prod", "changes": []string{"Deployment/worker:spec.memory=1Gi"}},
		want: []string{"values/prod.yml:4  worker.memory: 256Mi → 1Gi", "dev and staging do not change", "+  memory: 1Gi"},
	}}},
	{"store", "Why are there five replicas in staging?", []step{{
		tool: "blame", with: with{"environment": "staging", "document": "Deployment/web", "path": "spec.replicas"},
		want: []string{"5  config/web.yml:6", "web.replicas = 5", "values/staging.yml:2", "over 1  config/schema.yml:5"},
	}}},
	{"store", "Which environments does another domain touch?", []step{
		{
			tool: "impact", with: with{"set": with{"domain": "x.test"}},
			want: []string{"in the default environment", "spec.host: shop.shop.test → shop.x.test"},
		},
		{
			edit: [3]string{"values/common.yml", "shop.test", "x.test"}, tool: "diff", with: with{"revision": "HEAD"},
			want: []string{
				"environments: dev (changed), prod (changed), staging (changed)", "values/common.yml:1",
				"broken fails:\nweft.yml:11:",
			},
		},
	}},
	{"store", "Which overlay adds the label tier? Remove it from the worker.", []step{
		{
			tool: "blame", with: with{"environment": "prod", "document": "Deployment/web", "path": "metadata.labels.tier"},
			want: []string{"gold  overlays/labels.yml:6", "added by overlay overlays/labels.yml:3"},
		},
		{
			tool: "suggest", with: with{"environment": "prod", "changes": []string{"Deployment/worker:metadata.labels.tier-"}},
			want: []string{"- Deployment/worker  metadata.labels.tier: gold", "dev and staging do not change"},
		},
	}},
	{"store", "Is the project valid?", []step{{
		tool: "check", want: []string{"lint: 1 finding; no tests", "weft.yml:11:37: error: found a string"},
	}}},
	{"store", "What differs between dev and prod?", []step{{
		tool: "diff", with: with{"from": "dev", "to": "prod"}, want: []string{
			"web.replicas 1 → 3  (values/prod.yml:2)", "overlays/labels.yml (only in prod)",
		},
		never: []string{"quicksilver", "QUICKSILVER", "Ingress"},
	}}},
	{"store", "Show prdo.", []step{{
		tool: "render", with: with{"environment": "prdo"},
		want: []string{"no environment 'prdo'", "weft.yml:6:3", "did you mean prod?"},
	}}},
	{"store", "Show the wrker.", []step{{
		tool: "render", with: with{"document": "Deployment/wrker"}, want: []string{"did you mean Deployment/worker?"},
	}}},
	{"store", "Where does spec.replica come from?", []step{{
		tool: "blame", with: with{"document": "Deployment/web", "path": "spec.replica"},
		want: []string{"did you mean spec.replicas?"},
	}}},
	{"store", "Why does broken not render?", []step{{
		tool: "render", with: with{"environment": "broken"},
		want: []string{"weft.yml:11:37", "expected an integer", "the type is declared here", "config/schema.yml:5:3"},
	}}},
	{"store", "May I have 50 replicas?", []step{{
		tool: "impact", with: with{"environment": "prod", "set": with{"web.replicas": 50}},
		want: []string{"must be: a value <= 20", "config/schema.yml:4:3"},
	}}},
	{"store", "What is the password of the database?", []step{
		{
			tool: "render", with: with{"path": "spec.env[0].value"}, want: []string{"‹secret›", "config/web.yml:9"},
			never: []string{"quicksilver", "QUICKSILVER"},
		},
		{
			tool: "values", with: with{"value": "password"}, want: []string{"password = ‹secret›  config/schema.yml:9"},
		},
	}},
	{"projects", "Which environments are there?", []step{
		{tool: "environments", want: []string{"such as services/pay, services/ship\n"}},
		{tool: "environments", with: with{"project": "services"}, want: []string{
			"no weft.yml in 'services'", "such as services/pay",
		}},
		{tool: "environments", with: with{"project": "services/pya"}, want: []string{
			"no directory 'services/pya'", "such as services/pay",
		}},
		{tool: "environments", with: with{"project": `services\pay`}, want: []string{
			`no directory 'services\pay'`, "such as services/pay",
		}},
		{tool: "environments", with: with{"project": "services/pay"}, want: []string{"eu  services/pay/weft.yml:3"}},
	}},
	{"projects", "Render the project pay.", []step{{
		tool: "render", with: with{"project": "services/pay"}, want: []string{"which environment?", "name one of eu or us"},
	}}},
	{"files", "What do the files give, and where is it from?", []step{
		{tool: "render", with: with{"files": []string{"plain"}}, want: []string{"ConfigMap/café  plain/über cfg.yml:2"}},
		{
			tool: "render", with: with{"files": []string{"plain"}, "document": "ConfigMap/café"},
			want: []string{"# ConfigMap/café  plain/über cfg.yml:2\n"},
		},
		{
			tool: "blame", with: with{"files": []string{"plain"}, "path": "data.日本"},
			want: []string{"値  plain/über cfg.yml:7"}, never: []string{`\r`},
		},
		{tool: "values", want: []string{"some tools also take `files`"}},
	}},
	{"large", "List all documents of one.", []step{{
		tool: "render", with: with{"environment": "one"},
		want: []string{"lines 1-", "of 701; for more, call again with the cursor", "Part/part-0 ", "Part/part-699 "},
	}}},
	{"large", "Change the note of two.", []step{{
		tool: "suggest", with: with{"environment": "two", "changes": []string{"Note:text=other"}},
		want: []string{"weft.yml:6  note: second → other", `+    values: {note: other}\r`, "one does not change"},
	}}},
	{"large", "Continue a list after an edit.", []step{{
		tool: "render", with: with{"environment": "one", "cursor": "Uef3o7lEzD1zFH2TAABN_g"},
		want: []string{"does not belong to this answer", "call again without the cursor"},
	}}},
}

// TestTasks answers each question in a copy of the examples, and TestWorkTasks in a workspace.
func TestTasks(t *testing.T) {
	if len(tasks) < 20 {
		t.Errorf("there are %d tasks", len(tasks))
	}
	for _, task := range tasks {
		t.Run(task.question, func(t *testing.T) { answered(t, "", task.steps) })
	}
}

func TestWorkTasks(t *testing.T) {
	for _, task := range workTasks {
		t.Run(task.question, func(t *testing.T) { answered(t, task.in, task.steps) })
	}
}

// answered takes the steps of a task. An answer includes all its pages.
func answered(t *testing.T, in string, steps []step) {
	dir := workspace(t, in)
	s := connect(t, dir)
	for _, step := range steps {
		if file := step.edit[0]; file != "" {
			replace(t, filepath.Join(dir, file), step.edit[1], step.edit[2])
		}
		text := allPages(t, s, step.tool, step.with)
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
}

// allPages returns an answer and all that continue it.
func allPages(t *testing.T, s *mcp.ClientSession, tool string, arguments with) string {
	t.Helper()
	r := call(t, s, tool, arguments)
	text := textOf(t, r)
	more, _ := r.StructuredContent.(with)["cursor"].(string)
	if more == "" {
		return text
	}
	arguments = maps.Clone(arguments)
	arguments["cursor"] = more
	return text + allPages(t, s, tool, arguments)
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
