package archive

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"io"
	"strconv"
	"strings"
)

// Limits are the most that an archive may contain. Zero means the default.
type Limits struct {
	Bytes   int64 // of all files together, unpacked
	Entries int   // files, links and directories
}

// DefaultLimits are far above what configuration needs: large charts have a few thousand files.
var DefaultLimits = Limits{Bytes: 256 << 20, Entries: 50_000}

func (l Limits) orDefault() Limits {
	return Limits{
		Bytes:   cmp.Or(l.Bytes, DefaultLimits.Bytes),
		Entries: cmp.Or(l.Entries, DefaultLimits.Entries),
	}
}

// Format is what bytes are, found by looking at them.
type Format string

// The formats.
const (
	Plain Format = ""    // not an archive
	Tar   Format = "tar" // also of an old kind, without a magic number
	Gzip  Format = "gzip"
	Zip   Format = "zip"
	XZ    Format = "xz"
	Zstd  Format = "zstd"
	Bzip2 Format = "bzip2"
)

// FormatOf returns the format of data.
func FormatOf(data []byte) Format {
	for _, f := range []struct {
		magic  string
		format Format
	}{
		{"\x1f\x8b", Gzip},
		{"PK\x03\x04", Zip},
		{"PK\x05\x06", Zip}, // without any entry
		{"\xfd7zXZ\x00", XZ},
		{"\x28\xb5\x2f\xfd", Zstd},
		{"BZh", Bzip2},
	} {
		if bytes.HasPrefix(data, []byte(f.magic)) && (f.format != Bzip2 || isBzip2(data)) {
			return f.format
		}
	}
	if isTar(data) {
		return Tar
	}
	return Plain
}

// isBzip2 reports whether data has the size and the start of the first block of bzip2 after its letters.
func isBzip2(data []byte) bool {
	return len(data) > 10 && data[3] >= '1' && data[3] <= '9' && string(data[4:10]) == "1AY&SY"
}

// blockSize is the size of the blocks of a tar archive.
const blockSize = 512

// isTar reports whether data begins with the header of a tar archive: its checksum is right.
func isTar(data []byte) bool {
	if len(data) < blockSize {
		return false
	}
	field := strings.Trim(string(data[148:156]), " \x00")
	want, err := strconv.ParseUint(field, 8, 32)
	if err != nil {
		return false
	}
	sum := uint64(8 * ' ') // the checksum itself counts as spaces
	for i, b := range data[:blockSize] {
		if i < 148 || i >= 156 {
			sum += uint64(b)
		}
	}
	return sum == want
}

// Read returns the files of a tar, tar.gz or zip archive. source is how messages call it.
func Read(source string, data []byte, limits Limits) (*Files, error) {
	e := newEntries(source, limits)
	if err := e.readLayer(Layer{Data: data}); err != nil {
		return nil, err
	}
	return e.files()
}

// Layer is a part of an image or an artifact.
type Layer struct {
	Name string // of a single file; "" means that Data is an archive
	Data []byte
}

// ReadLayers returns the files of an image or an artifact. Each layer replaces and deletes files of those
// before it.
func ReadLayers(source string, layers []Layer, limits Limits) (*Files, error) {
	e := newEntries(source, limits)
	for _, l := range layers {
		if err := e.readLayer(l); err != nil {
			return nil, err
		}
	}
	return e.files()
}

func (e *entries) read(data []byte) error {
	switch format := FormatOf(data); format {
	case Zip:
		return e.readZip(data)
	case Gzip:
		return e.readGzip(data)
	case Tar:
		if !ended(data) {
			return e.failf("the archive is cut off: it has no end mark").WithHint(hintAgain)
		}
		return e.readTar(bytes.NewReader(data))
	case Plain:
		if len(data) > 0 && len(bytes.Trim(data, "\x00")) == 0 {
			return nil // a tar archive without entries
		}
		return e.failf("it is not an archive").WithHint("name a tar, tar.gz or zip archive")
	default:
		return e.failf("it is compressed with %s", format).WithHint("name a tar, tar.gz or zip archive")
	}
}

const hintAgain = "try again; if the error stays, the file is damaged where it comes from"

// ended reports whether a tar archive ends with a block of zeros, as all must. Without it, an archive
// that was cut between two files would look complete.
func ended(data []byte) bool {
	return len(data)%blockSize == 0 && len(bytes.Trim(data[len(data)-blockSize:], "\x00")) == 0
}

func (e *entries) readGzip(data []byte) error {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return e.broken(err)
	}
	// Headers that stand for no entry could otherwise be unpacked for hours.
	const headers = 4 * blockSize
	r := &limited{r: z, left: e.limits.Bytes + int64(e.limits.Entries)*headers}
	first, err := io.ReadAll(io.LimitReader(r, blockSize))
	switch {
	case err != nil:
		return e.broken(err)
	case !isTar(first) && len(bytes.Trim(first, "\x00")) > 0:
		return e.failf("it is compressed with gzip, but not a tar archive").
			WithHint("name a tar, tar.gz or zip archive")
	}
	if err := e.readTar(io.MultiReader(bytes.NewReader(first), r)); err != nil {
		return err
	}
	if _, err := io.Copy(io.Discard, r); err != nil { // the checksum is at the end
		return e.broken(err)
	}
	return nil
}

// broken returns the error of an archive that cannot be read.
func (e *entries) broken(err error) error {
	if errors.Is(err, errTooLarge) {
		return e.tooLarge()
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return e.failf("the archive is cut off").WithHint(hintAgain)
	}
	return e.failf("the archive is damaged: %s", err).WithHint(hintAgain)
}

var errTooLarge = errors.New("too large")

// limited reads at most left bytes, and then fails.
type limited struct {
	r    io.Reader
	left int64
}

func (l *limited) Read(p []byte) (int, error) {
	if l.left <= 0 {
		return 0, errTooLarge
	}
	n, err := l.r.Read(p[:min(int64(len(p)), l.left)])
	l.left -= int64(n)
	return n, err
}
