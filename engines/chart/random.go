package chart

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"strings"
	"text/template"
	"time"

	"weft/internal/project/engines/wire"
)

// randomFuncs are the functions of templates that have another result in each run. Their signatures do not
// matter where they are errors.
var randomFuncs = []string{
	"randAlphaNum", "randAlpha", "randAscii", "randNumeric", "randBytes", "randInt", "shuffle", "uuidv4",
	"genCA", "genCAWithKey", "genSignedCert", "genSignedCertWithKey", "genSelfSignedCert",
	"genSelfSignedCertWithKey", "genPrivateKey", "htpasswd", "bcrypt", "encryptAES", "now", "ago",
}

// randomAt returns functions that stand in for those with another result in each run, for the place of a
// call: errors, or functions that derive their results from the chart, the release and the place.
func (f *functions) randomAt(at site, r *wire.Chart, from *source) template.FuncMap {
	funcs := template.FuncMap{}
	for _, name := range randomFuncs {
		funcs[name] = func(...any) (any, error) {
			f.random = &randomError{name, r.Random}
			return nil, f.random
		}
	}
	if r.Random != wire.RandomSeeded {
		return funcs
	}
	s := &seeded{
		chart: from.digest, release: r.Namespace + "/" + r.Release,
		place: fmt.Sprintf("%s:%d", strings.TrimPrefix(at.file, from.path), at.line), calls: f.calls,
	}
	const digits, lower, upper = "0123456789", "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	funcs["randAlphaNum"] = s.text("randAlphaNum", lower+upper+digits)
	funcs["randAlpha"] = s.text("randAlpha", lower+upper)
	funcs["randNumeric"] = s.text("randNumeric", digits)
	funcs["randAscii"] = s.text("randAscii", printable())
	funcs["randBytes"] = func(n int) (string, error) {
		if err := checkLength(n); err != nil {
			return "", err
		}
		return base64.StdEncoding.EncodeToString(s.bytes("randBytes", n)), nil
	}
	funcs["randInt"] = func(low, high int) (int, error) {
		if high <= low {
			return 0, fmt.Errorf("randInt %d %d: the second must be larger", low, high)
		}
		return low + s.next("randInt").IntN(high-low), nil
	}
	funcs["shuffle"] = func(text string) string {
		runes := []rune(text)
		s.next("shuffle").Shuffle(len(runes), func(i, k int) { runes[i], runes[k] = runes[k], runes[i] })
		return string(runes)
	}
	funcs["uuidv4"] = func() string {
		b := s.bytes("uuidv4", 16)
		b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
		return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
	}
	funcs["now"] = func() time.Time { return seededTime }
	addKeys(funcs, s)
	return funcs
}

// seededTime is the time that templates see where it would be another one in each run.
var seededTime = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// randomError is a call of a function with another result in each run.
type randomError struct{ name, random string }

func (e *randomError) Error() string {
	if e.random == wire.RandomSeeded {
		return e.name + " has another result in each run, and cannot be seeded"
	}
	return e.name + " has another result in each run"
}

// seeded derives random numbers from a chart, a release, the place of a call, its function and its number.
// They are predictable: anyone can compute them from these.
type seeded struct {
	chart, release string
	place          string // in the chart
	calls          map[string]int
}

// next returns the numbers for the next call of a function.
func (s *seeded) next(name string) *rand.Rand {
	call := name + " " + s.place
	s.calls[call]++
	seed := sha256.Sum256(fmt.Appendf(nil, "%q %q %q %d", s.chart, s.release, call, s.calls[call]))
	return rand.New(rand.NewChaCha8(seed))
}

func (s *seeded) bytes(name string, n int) []byte {
	return fill(s.next(name), n)
}

func fill(from *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(from.UintN(256))
	}
	return b
}

// text returns a function that returns texts of a length from some letters.
func (s *seeded) text(name, letters string) func(int) (string, error) {
	return func(n int) (string, error) {
		if err := checkLength(n); err != nil {
			return "", err
		}
		b, from := make([]byte, n), s.next(name)
		for i := range b {
			b[i] = letters[from.IntN(len(letters))]
		}
		return string(b), nil
	}
}

// checkLength refuses lengths that would only use up memory.
func checkLength(n int) error {
	if n < 0 || n > 1<<20 {
		return fmt.Errorf("%d is not a length from 0 to %d", n, 1<<20)
	}
	return nil
}

// printable returns the characters of ASCII that can be printed.
func printable() string {
	var all []byte
	for c := byte(32); c < 127; c++ {
		all = append(all, c)
	}
	return string(all)
}
