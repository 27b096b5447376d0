package vendir

import (
	"strings"
	"testing"

	"weft/internal/lang/source"
)

func TestTranslate(t *testing.T) {
	const head = "apiVersion: vendir.k14s.io/v1alpha1\nkind: Config\ndirectories:\n"
	const lockHead = "apiVersion: vendir.k14s.io/v1alpha1\nkind: LockConfig\ndirectories:\n"
	tests := []struct{ name, config, lock, want, notes string }{
		{
			name: "git by branch, without a lock",
			config: `- path: config/lib
  contents:
  - path: shop
    git: {url: https://git.example.com/shop, ref: origin/main}
    includePaths: [deploy/**/*]
    excludePaths: [deploy/test/**/*]
`,
			want: `  shop:
    git: https://git.example.com/shop
    version: main
    paths:
    - deploy/**/*
    exclude:
    - deploy/test/**/*
`,
		},
		{
			name: "a range keeps the locked version",
			config: `- path: lib
  contents:
  - path: a/shop
    git: {url: https://git.example.com/shop, refSelection: {semver: {constraints: ">0.4.0 <1"}}}
    newRootPath: deploy
  - path: b/shop
    git: {url: "https://me:secret@git.example.com/other", ref: main, secretRef: {name: key}, verification: {}}
`,
			lock: `- path: lib
  contents:
  - path: a/shop
    git: {sha: 0123456789012345678901234567890123456789, tags: [v0.5.1]}
  - path: b/shop
    git: {sha: "1123456789012345678901234567890123456789", tags: [v1.0-3-g1123456]}
`,
			want: `  shop:
    git: https://git.example.com/shop
    version: v0.5.1 # vendir.yml: >0.4.0 <1
    paths:
    - deploy/**/*
  shop-2:
    git: https://git.example.com/other
    version: "1123456789012345678901234567890123456789" # vendir.yml: main
`,
			notes: "secretRef; verification; 'shop-2': the user",
		},
		{
			name: "registries, charts and files",
			config: `- path: up
  contents:
  - path: base
    image: {url: "registry.example.com:5000/platform/base:1.2"}
  - path: bundle
    imgpkgBundle: {image: registry.example.com/bundle, tagSelection: {semver: {constraints: 2.x}}, recursive: true}
  - path: dns
    helmChart: {name: dns, version: 1.0.0, repository: {url: "https://charts.example.com"}}
  - path: mail
    helmChart: {name: mail, version: "2", repository: {url: "oci://charts.example.com/all/"}}
  - path: crds
    http: {url: "https://example.com/crds.yml", sha256: abc, disableUnpack: true}
  - path: release
    githubRelease: {slug: acme/tool, latest: true, assetNames: [a.yml, "b*.yml"]}
  - path: unlisted
    githubRelease: {slug: acme/tool, latest: true}
  - path: .
    directory: {path: ../notes}
`,
			lock: `- path: up
  contents:
  - path: bundle
    imgpkgBundle: {image: "registry.example.com/bundle@sha256:99"}
  - path: release
    githubRelease: {tag: v3}
`,
			want: `  base:
    oci: registry.example.com:5000/platform/base
    version: "1.2"
  bundle:
    oci: registry.example.com/bundle
    version: sha256:99 # vendir.yml: 2.x
  dns:
    chart: https://charts.example.com
    name: dns
    version: 1.0.0
  mail:
    chart: oci://charts.example.com/all/mail
    version: "2"
  crds:
    http: https://example.com/crds.yml
    sha256: abc
  release:
    http: https://github.com/acme/tool/releases/download/v3/a.yml
  up:
    dir: notes
`,
			notes: "recursive; disableUnpack; 'b*.yml' of acme/tool; 'sub/up/unlisted' is left out",
		},
		{
			name:   "nothing to fetch",
			config: "- path: x\n  contents:\n  - {path: a, manual: {}}\n  - {path: b, inline: {paths: {c: d}}}\n  - {path: c}\n",
			notes: "'sub/x/a' is left out: nothing fetches; 'sub/x/b' is left out: its text; " +
				"'sub/x/c' is left out: it does not say",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var set source.Set
			config, err := set.Add("sub/vendir.yml", []byte(head+tt.config))
			if err != nil {
				t.Fatal(err)
			}
			var lock *source.File
			if tt.lock != "" {
				if lock, err = set.Add("sub/vendir.lock.yml", []byte(lockHead+tt.lock)); err != nil {
					t.Fatal(err)
				}
			}
			r, err := Translate(config, lock, "sub")
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.TrimPrefix(string(r.Text()), "vendor:\n"); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
			var want []string
			if tt.notes != "" {
				want = strings.Split(tt.notes, "; ")
			}
			if len(want) != len(r.Notes) {
				t.Fatalf("got %d notes: %v", len(r.Notes), r.Notes)
			}
			for i, n := range r.Notes {
				if !strings.HasPrefix(n.Message, want[i]) {
					t.Errorf("got note %q, want %q", n.Message, want[i])
				}
			}
		})
	}
}

func TestTranslateOthers(t *testing.T) {
	for _, text := range []string{"", "a: 1\n", "kind: Config\n", "- 1\n", "a: [\n"} {
		var set source.Set
		f, err := set.Add("vendir.yml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Translate(f, nil, ""); err == nil {
			t.Errorf("%q is taken for a configuration of vendir", text)
		}
	}
}
