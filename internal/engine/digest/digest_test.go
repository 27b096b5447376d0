package digest_test

import (
	"crypto/md5"
	"crypto/sha256"
	"strings"
	"testing"

	"weft/internal/engine/digest"
)

// FuzzDigest has both digests be those of package crypto.
func FuzzDigest(f *testing.F) {
	for _, n := range []int{0, 1, 54, 55, 56, 57, 63, 64, 65, 119, 120, 128, 1000} {
		f.Add(strings.Repeat("weft\xff", n)[:n])
	}
	f.Fuzz(func(t *testing.T, text string) {
		if got, want := digest.MD5(text), md5.Sum([]byte(text)); got != want {
			t.Errorf("MD5 of %q is %x, expected %x", text, got, want)
		}
		if got, want := digest.SHA256(text), sha256.Sum256([]byte(text)); got != want {
			t.Errorf("SHA-256 of %q is %x, expected %x", text, got, want)
		}
	})
}
