package help

import (
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"weft/docs"
	"weft/internal/serve/cli/process"
)

// skillTopic is the topic that the page for agents begins with.
const skillTopic = "agents"

// skill returns one page about weft for agents: the topic about their work, then the commands, topics and
// exit codes. It begins with the header by which agents find such pages.
func skill(root *cobra.Command, commands []string) string {
	topic, _ := docs.Topic(skillTopic) // it is embedded
	text := string(topic)
	if i := strings.Index(text, "\nMore: "); i >= 0 {
		text = text[:i] // agents that read a file cannot follow its links
	}
	var b strings.Builder
	about := root.Short + " with weft (weft.yml, #@ templates, overlays). Use it to find which file sets a line " +
		"of the output, to change it, and to check the change."
	b.WriteString("---\nname: weft\ndescription: " + strconv.Quote(about) + "\n---\n\n" + text)
	b.WriteString("\n## Commands\n\n`weft VERB --help` lists the flags.\n\n")
	for _, name := range commands {
		cmd, _, err := root.Find([]string{name})
		if err == nil && cmd != root {
			use := strings.TrimSuffix(cmd.Use, " [flags]")
			b.WriteString("- `weft " + use + "`: " + cmd.Short + "\n")
		}
	}
	b.WriteString("\n## Topics\n\n`weft help TOPIC` explains each on one screen.\n\n")
	for _, name := range docs.Topics() {
		b.WriteString("- `" + name + "`: " + topicTitle(name) + "\n")
	}
	b.WriteString("\n## Exit codes\n\n")
	for _, e := range process.ExitCodes {
		b.WriteString("- " + e.Code + ": " + e.Meaning + "\n")
	}
	return b.String()
}
