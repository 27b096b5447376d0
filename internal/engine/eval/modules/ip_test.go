package modules

import (
	"net"
	"testing"

	"go.starlark.net/starlark"
)

// FuzzIP has the module read what package net reads, and say the same about it.
func FuzzIP(f *testing.F) {
	for _, s := range []string{
		"192.168.0.7/24", "10.0.0.1", "::1", "fe80::1%eth0", "fe80::1%eth0/64", "::ffff:1.2.3.4",
		"::ffff:1.2.3.4/120", "::ffff:1.2.3.4/96", "::ffff:1.2.3.4/90", "::ffff:1.2.3.4/24",
		"1.2.3.4/024", "1.2.3.4/33", "1.2.3.4/+8", "1.2.3.4/", "1.2.3.4/8/8", "1.2.3.4/99999999999",
		"2001:db8::/32", "01.2.3.4", "1.2.3", "", "/", "::/0", "0.0.0.0/0", "1.2.3.4/-1",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		wantAddr := net.ParseIP(s)
		addr, ok := parseAddr(s)
		if ok != (wantAddr != nil) {
			t.Fatalf("parse_addr(%q): read is %v, but package net gives %v", s, ok, wantAddr)
		}
		if ok {
			sameAddr(t, newAddr(addr), wantAddr)
		}
		wantAddr, wantNet, err := net.ParseCIDR(s)
		addr, network, ok := parseCIDR(s)
		if ok != (err == nil) {
			t.Fatalf("parse_cidr(%q): read is %v, but package net says %v", s, ok, err)
		}
		if ok {
			sameAddr(t, newAddr(addr), wantAddr)
			if got := told(t, newNet(network), "string"); got != starlark.String(wantNet.String()) {
				t.Errorf("parse_cidr(%q) is the network %s, expected %s", s, got, wantNet)
			}
			sameAddr(t, told(t, newNet(network), "addr").(*object), wantNet.IP)
		}
	})
}

func sameAddr(t *testing.T, got *object, want net.IP) {
	t.Helper()
	if text := told(t, got, "string"); text != starlark.String(want.String()) {
		t.Errorf("the address is %s, expected %s", text, want)
	}
	v4 := starlark.Bool(want.To4() != nil)
	if told(t, got, "is_ipv4") != v4 || told(t, got, "is_ipv6") != !v4 {
		t.Errorf("%s: is_ipv4 is not %v, or is_ipv6 is", want, v4)
	}
}

// told calls a method of an object.
func told(t *testing.T, o *object, method string) starlark.Value {
	t.Helper()
	m, err := o.Attr(method)
	if err != nil {
		t.Fatal(err)
	}
	v, err := starlark.Call(&starlark.Thread{}, m, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
