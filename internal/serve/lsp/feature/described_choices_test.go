//go:build !playground

package feature

import (
	"slices"
	"testing"
)

// A sentence names the allowed values only if it lists nothing else.
func TestChoicesInSentence(t *testing.T) {
	for _, x := range []struct {
		text string
		want []string
	}{
		{"One of Always, Never, IfNotPresent.", []string{"Always", "Never", "IfNotPresent"}},
		{"Must be UDP, TCP, or SCTP. Defaults to TCP.", []string{"UDP", "TCP", "SCTP"}},
		{"Must be UTC or Local, which is the default.", []string{"UTC", "Local"}},
		{"Must be UTC or Local and defaults to UTC.", []string{"UTC", "Local"}},
		{"Valid options are Always or Never or Sometimes when it rains.", []string{"Always", "Never", "Sometimes"}},
		{`Can be "a" (default) or "b"`, []string{"a", "b"}},
		{"Supports Allow and Deny", []string{"Allow", "Deny"}},
		{"Must be UTC, Local or an IANA name", nil},
		{"Must be UTC, Local, or an IANA name.", nil},
		{"Must be UTC or Local or an IANA name.", nil},
		{"Must be UTC or Local, or an IANA name.", nil},
		{"Must be UTC, Local, other names are ignored", nil},
		{"Supports Allow, Deny and what plugins add.", nil},
		{`Must be "any", "all" or a number.`, nil},
		{"Must be UTC or an offset. Must be Local or UTC.", []string{"Local", "UTC"}},
	} {
		if got := choicesInSentence(x.text); !slices.Equal(got, x.want) {
			t.Errorf("%s: got %q, want %q", x.text, got, x.want)
		}
	}
}
