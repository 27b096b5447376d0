package selector

import (
	"fmt"
	"strings"
	"testing"
)

func TestFromMapping(t *testing.T) {
	docs := documents(t, "config/shop.yml", shop)
	for _, tt := range []struct {
		text string
		want string // numbers
		same string // what it is on the command line
	}{
		{"{kind: Deployment}", "1 2", "kind=Deployment"},
		{"{kind: [Job, NetworkPolicy]}", "5 6", "kind=~^(Job|NetworkPolicy)$"},
		{"{kind: {$matches: Service|Job}}", "3 4 6", "kind=~Service|Job"},
		{"{kind: Deployment, metadata.namespace: prod}", "2", "kind=Deployment,metadata.namespace=prod"},
		{"{kind: Deployment, metadata.namespace: {$not: prod}}", "1", "kind=Deployment,metadata.namespace!=prod"},
		{"{kind: {$not: [Deployment, Service]}}", "5 6 7 8", "kind!=~^(Deployment|Service)$"},
		{"{spec.replicas: 3}", "1", "spec.replicas=3"},
		{"{'on': 1}", "2", "on=1"},
		{"{'metadata.name': nothing}", "", "metadata.name=nothing"},
	} {
		s, err := FromMapping("$select", documents(t, "select.yml", tt.text)[0].Value)
		if err != nil {
			t.Errorf("%s: %v", tt.text, err)
			continue
		}
		if s.String() != tt.same {
			t.Errorf("%s: got %s, want %s", tt.text, s, tt.same)
		}
		again, err := Parse("--select", s.String())
		if err != nil {
			t.Errorf("%s: %v", s, err)
		}
		var got, line []string
		for i := range docs {
			if s.Matches(docs[i]) {
				got = append(got, fmt.Sprint(i+1))
			}
			if again.Matches(docs[i]) {
				line = append(line, fmt.Sprint(i+1))
			}
		}
		if strings.Join(got, " ") != tt.want || strings.Join(line, " ") != tt.want {
			t.Errorf("%s: got %v, as a line %v, want %s", tt.text, got, line, tt.want)
		}
	}
}

func TestNear(t *testing.T) {
	docs := documents(t, "config/shop.yml", shop)
	for _, tt := range []struct{ text, want string }{
		{"kind=Deploymnt", "did you mean `kind: Deployment`?"},
		{"kind=Deployment,metadata.namespace=prd", "did you mean `metadata.namespace: prod`?"},
		{"kind=~^X", "`kind` is `Deployment`, `Service`, `NetworkPolicy`, `Job`, `Kustomization`"},
		{"spec.nothing=1", "none of them has `spec.nothing`"},
		{"Deployment/wob", "did you mean Deployment//web?"},
		{"Frobnicate/zzz", ""},
	} {
		s, err := Parse("--select", tt.text)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Near(docs); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.text, got, tt.want)
		}
	}
}
