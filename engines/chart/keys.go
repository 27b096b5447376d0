package chart

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"net"
	"reflect"
	"text/template"
	"time"
)

// certificate is a certificate with its key, as templates read it.
type certificate struct{ Cert, Key string }

// addKeys adds the functions that create keys and certificates.
func addKeys(funcs template.FuncMap, s *seeded) {
	funcs["genPrivateKey"] = func(kind string) (string, error) {
		key, err := privateKey(s.next("genPrivateKey"), kind)
		if err != nil {
			return "", err
		}
		return encodeKey(key)
	}
	funcs["genCA"] = func(name string, days int) (certificate, error) {
		return s.issue("genCA", request{name: name, days: days, authority: true}, nil)
	}
	funcs["genSelfSignedCert"] = func(name string, ips, names []any, days int) (certificate, error) {
		return s.issue("genSelfSignedCert", request{name, ips, names, days, false}, nil)
	}
	funcs["genSignedCert"] = func(name string, ips, names []any, days int, ca any) (certificate, error) {
		return s.issue("genSignedCert", request{name, ips, names, days, false}, ca)
	}
}

// privateKey returns a key of a kind that is the same for the same numbers.
func privateKey(from *rand.Rand, kind string) (crypto.Signer, error) {
	switch kind {
	case "", "rsa":
		return rsaKey(from)
	case "ecdsa":
		for {
			if k, err := ecdsa.ParseRawPrivateKey(elliptic.P256(), fill(from, 32)); err == nil {
				return k, nil
			}
		}
	case "ed25519":
		return ed25519.NewKeyFromSeed(fill(from, ed25519.SeedSize)), nil
	}
	return nil, fmt.Errorf("unknown type of key: %s", kind)
}

// rsaKey returns an RSA key of 2,048 bits. The standard library creates only random ones.
func rsaKey(from *rand.Rand) (*rsa.PrivateKey, error) {
	e, one := big.NewInt(65537), big.NewInt(1)
	for {
		p, q := prime(from, 1024), prime(from, 1024)
		n := new(big.Int).Mul(p, q)
		phi := new(big.Int).Mul(new(big.Int).Sub(p, one), new(big.Int).Sub(q, one))
		d := new(big.Int).ModInverse(e, phi)
		if p.Cmp(q) == 0 || d == nil || n.BitLen() != 2048 {
			continue
		}
		k := &rsa.PrivateKey{PublicKey: rsa.PublicKey{N: n, E: 65537}, D: d, Primes: []*big.Int{p, q}}
		k.Precompute()
		return k, k.Validate()
	}
}

// prime returns a prime number with its two highest bits set.
func prime(from *rand.Rand, bits int) *big.Int {
	b := fill(from, bits/8)
	b[0] |= 0xc0
	b[len(b)-1] |= 1
	p := new(big.Int).SetBytes(b)
	for !p.ProbablyPrime(20) {
		p.Add(p, big.NewInt(2))
	}
	return p
}

// request is a certificate to issue.
type request struct {
	name       string
	ips, names []any
	days       int
	authority  bool
}

// issue issues a certificate, signed by ca, or by itself if ca is nil.
func (s *seeded) issue(function string, r request, ca any) (certificate, error) {
	from := s.next(function)
	key, err := rsaKey(from)
	if err != nil {
		return certificate{}, err
	}
	c, err := r.template(new(big.Int).SetBytes(fill(from, 16)))
	if err != nil {
		return certificate{}, err
	}
	parent, signer := c, crypto.Signer(key)
	if ca != nil {
		if parent, signer, err = readAuthority(ca); err != nil {
			return certificate{}, err
		}
	}
	der, err := x509.CreateCertificate(nil, c, parent, key.Public(), signer)
	if err != nil {
		return certificate{}, err
	}
	text, err := encodeKey(key)
	return certificate{Cert: encodePEM("CERTIFICATE", der), Key: text}, err
}

// template returns what the certificate says.
func (r request) template(serial *big.Int) (*x509.Certificate, error) {
	c := &x509.Certificate{
		Subject: pkix.Name{CommonName: r.name}, SerialNumber: serial,
		NotBefore: seededTime, NotAfter: seededTime.Add(time.Duration(r.days) * 24 * time.Hour),
		KeyUsage:              x509.KeyUsageKeyEncipherment | x509.KeyUsageDigitalSignature,
		ExtKeyUsage:           []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
		BasicConstraintsValid: true,
	}
	if r.authority {
		c.KeyUsage |= x509.KeyUsageCertSign
		c.IsCA = true
	}
	for _, ip := range r.ips {
		parsed := net.ParseIP(fmt.Sprint(ip))
		if parsed == nil {
			return nil, fmt.Errorf("%v is not an IP address", ip)
		}
		c.IPAddresses = append(c.IPAddresses, parsed)
	}
	for _, n := range r.names {
		c.DNSNames = append(c.DNSNames, fmt.Sprint(n))
	}
	return c, nil
}

// readAuthority reads a certificate of genCA or buildCustomCert, which has a type of its library.
func readAuthority(ca any) (*x509.Certificate, crypto.Signer, error) {
	v := reflect.ValueOf(ca)
	if v.Kind() != reflect.Struct || v.NumField() < 2 {
		return nil, nil, errors.New("expected a certificate of genCA or buildCustomCert")
	}
	cert, _ := pem.Decode([]byte(v.FieldByName("Cert").String()))
	key, _ := pem.Decode([]byte(v.FieldByName("Key").String()))
	if cert == nil || key == nil {
		return nil, nil, errors.New("the certificate or its key is not PEM")
	}
	c, err := x509.ParseCertificate(cert.Bytes)
	if err != nil {
		return nil, nil, err
	}
	if k, err := x509.ParsePKCS1PrivateKey(key.Bytes); err == nil {
		return c, k, nil
	}
	k, err := x509.ParsePKCS8PrivateKey(key.Bytes)
	if err != nil {
		return nil, nil, err
	}
	signer, ok := k.(crypto.Signer)
	if !ok {
		return nil, nil, errors.New("the key of the certificate cannot sign")
	}
	return c, signer, nil
}

// encodeKey returns a key as PEM, in the format that sprig's functions have for its kind.
func encodeKey(key crypto.Signer) (string, error) {
	switch k := key.(type) {
	case *rsa.PrivateKey:
		return encodePEM("RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(k)), nil
	case *ecdsa.PrivateKey:
		der, err := x509.MarshalECPrivateKey(k)
		return encodePEM("EC PRIVATE KEY", der), err
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	return encodePEM("PRIVATE KEY", der), err
}

func encodePEM(kind string, der []byte) string {
	return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
}
