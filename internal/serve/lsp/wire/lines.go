package wire

import (
	"bufio"
	"errors"
	"io"
	"unicode/utf8"
)

// maxLine is the maximum size of a message of one line: its clients send questions, not files.
const maxLine = 4 << 20

// lines is the framing with one message per line.
type lines struct{ r *bufio.Reader }

// read returns the next line that is not empty. The rest of a line that is too long is skipped, not stored.
func (l *lines) read() ([]byte, error) {
	var line []byte
	for size := 0; ; {
		part, err := l.r.ReadSlice('\n')
		if size += len(part); size <= maxLine {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && (!errors.Is(err, io.EOF) || size == 0):
			return nil, err
		case size > maxLine:
			return nil, Errorf(InvalidRequest, "a message is longer than %d bytes", maxLine)
		}
		if line = trimLine(line); !utf8.Valid(line) { // an answer would repeat its id
			return nil, Errorf(ParseError, "a message is not UTF-8")
		}
		if len(line) > 0 {
			return line, nil
		}
		size = 0
	}
}

func (l *lines) frame(body []byte) []byte { return append(body, '\n') }
