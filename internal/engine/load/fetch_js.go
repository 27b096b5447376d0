package load

import (
	"context"

	"weft/internal/lang/diag"
)

// Fetch always fails: in a browser, files come from the embedding page. HTTP and TLS would make the
// program larger by half.
func Fetch(_ context.Context, rawURL string, _ []string) ([]byte, error) {
	return nil, diag.Failf(CodeURL, "requesting URL '%s': this build of weft cannot fetch URLs",
		ShownURL(rawURL)).
		WithHint("download it first, and pass the file to weft")
}
