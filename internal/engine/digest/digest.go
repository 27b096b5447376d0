// Package digest has MD5 and SHA-256 for browsers. Those of Go's crypto bring along what they are
// certified with: AES, a source of random numbers, and tests of themselves, of which browsers would
// load 45 kB. Everything but the playground uses crypto, and a law compares the two.
//
// It is not for secrets: how long it takes depends on nothing but the length of a text, but nobody
// has looked at it with an attacker in mind.
package digest

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// MD5 is the digest of RFC 1321.
func MD5(text string) [16]byte {
	state := [4]uint32{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476}
	eachBlock(text, binary.LittleEndian, func(w [16]uint32) {
		a, b, c, d := state[0], state[1], state[2], state[3]
		for i := range 64 {
			f, g := md5Round(i, b, c, d)
			sum := a + f + md5Sines[i] + w[g]
			a, d, c, b = d, c, b, b+bits.RotateLeft32(sum, md5Turns[i/16][i%4])
		}
		state[0], state[1], state[2], state[3] = state[0]+a, state[1]+b, state[2]+c, state[3]+d
	})
	var out [16]byte
	for i, s := range state {
		binary.LittleEndian.PutUint32(out[4*i:], s)
	}
	return out
}

// md5Round is how a step mixes three numbers, and which word of the block it takes.
func md5Round(i int, b, c, d uint32) (mixed uint32, word int) {
	switch i / 16 {
	case 0:
		return b&c | ^b&d, i
	case 1:
		return d&b | ^d&c, (5*i + 1) % 16
	case 2:
		return b ^ c ^ d, (3*i + 5) % 16
	}
	return c ^ (b | ^d), 7 * i % 16
}

// md5Turns are how far the steps of each round turn.
var md5Turns = [4][4]int{{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}}

// md5Sines are the first 32 bits of sines.
var md5Sines = func() (k [64]uint32) {
	for i := range k {
		k[i] = uint32(math.Abs(math.Sin(float64(i+1))) * (1 << 32))
	}
	return k
}()

// SHA256 is the digest of FIPS 180-4.
func SHA256(text string) [32]byte {
	state := shaStart
	eachBlock(text, binary.BigEndian, func(w [16]uint32) { shaBlock(&state, w) })
	var out [32]byte
	for i, s := range state {
		binary.BigEndian.PutUint32(out[4*i:], s)
	}
	return out
}

func shaBlock(state *[8]uint32, block [16]uint32) {
	var w [64]uint32
	copy(w[:], block[:])
	for i := 16; i < len(w); i++ {
		near, far := w[i-2], w[i-15]
		w[i] = w[i-16] + w[i-7] +
			(turned(far, 7) ^ turned(far, 18) ^ far>>3) + (turned(near, 17) ^ turned(near, 19) ^ near>>10)
	}
	s := *state
	for i := range w {
		e, a := s[4], s[0]
		t1 := s[7] + shaRoots[i] + w[i] +
			(turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + (e&s[5] ^ ^e&s[6])
		t2 := (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + (a&s[1] ^ a&s[2] ^ s[1]&s[2])
		s = [8]uint32{t1 + t2, s[0], s[1], s[2], s[3] + t1, s[4], s[5], s[6]}
	}
	for i := range state {
		state[i] += s[i]
	}
}

// turned turns the bits of a number to the right.
func turned(x uint32, by int) uint32 { return bits.RotateLeft32(x, -by) }

// The numbers of SHA-256 are the first 32 bits behind the point of square roots and of cube roots
// of the first prime numbers.
var shaStart, shaRoots = func() (squares [8]uint32, cubes [64]uint32) {
	n := 0
	for p := 2; n < len(cubes); p++ {
		if !isPrime(p) {
			continue
		}
		if n < len(squares) {
			squares[n] = fraction(math.Sqrt(float64(p)))
		}
		cubes[n] = fraction(math.Cbrt(float64(p)))
		n++
	}
	return squares, cubes
}()

func fraction(x float64) uint32 { return uint32((x - math.Floor(x)) * (1 << 32)) }

func isPrime(n int) bool {
	for d := 2; d*d <= n; d++ {
		if n%d == 0 {
			return false
		}
	}
	return true
}

// eachBlock cuts a text into blocks of 64 bytes, after which come a bit, zeros, and the length in
// bits. Both digests do this, in different orders of bytes.
func eachBlock(text string, order binary.ByteOrder, do func([16]uint32)) {
	rest := text
	for ; len(rest) >= 64; rest = rest[64:] {
		do(words([]byte(rest[:64]), order))
	}
	end := append([]byte(rest), 0x80)
	for len(end)%64 != 56 {
		end = append(end, 0)
	}
	var length [8]byte
	order.PutUint64(length[:], uint64(len(text))*8)
	for end = append(end, length[:]...); len(end) > 0; end = end[64:] {
		do(words(end[:64], order))
	}
}

func words(block []byte, order binary.ByteOrder) (w [16]uint32) {
	for i := range w {
		w[i] = order.Uint32(block[4*i:])
	}
	return w
}
