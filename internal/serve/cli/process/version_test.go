package process

import (
	"runtime/debug"
	"testing"
)

func TestVersionOf(t *testing.T) {
	setting := func(k, v string) debug.BuildSetting { return debug.BuildSetting{Key: k, Value: v} }
	tests := []struct {
		name string
		info debug.BuildInfo
		want string
	}{
		{"release", debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}}, "v1.2.3"},
		{"no repository", debug.BuildInfo{Main: debug.Module{Version: "(devel)"}}, "dev"},
		{
			"commit",
			debug.BuildInfo{
				Settings: []debug.BuildSetting{
					setting("vcs.revision", "0123456789abcdef"),
					setting("vcs.modified", "false"),
				},
			},
			"dev-0123456789ab",
		},
		{
			"changed",
			debug.BuildInfo{
				Settings: []debug.BuildSetting{
					setting("vcs.modified", "true"),
					setting("vcs.revision", "0123"),
				},
			},
			"dev-0123-changed",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := versionOf(&tt.info); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
