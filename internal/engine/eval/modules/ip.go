package modules

import (
	"fmt"
	"net/netip"
	"strconv"
	"strings"

	"weft/internal/lang/lazy"

	"go.starlark.net/starlark"
)

// Package net parses addresses too, but would enlarge the WebAssembly that browsers download.
var ipModule = lazy.Value[starlark.StringDict]{New: func() starlark.StringDict {
	return export("ip", map[string]function{
		"parse_addr": ofString(func(s string) (starlark.Value, error) {
			addr, ok := parseAddr(s)
			if !ok {
				return nil, fmt.Errorf("invalid IP address: %s", s)
			}
			return newAddr(addr), nil
		}),
		"parse_cidr": ofString(func(s string) (starlark.Value, error) {
			addr, network, ok := parseCIDR(s)
			if !ok {
				return nil, fmt.Errorf("invalid CIDR address: %s", s)
			}
			return starlark.Tuple{newAddr(addr), newNet(network)}, nil
		}),
	}, nil)
}}

// parseAddr parses an address as net.ParseIP does: without a zone, which names a network interface.
func parseAddr(s string) (netip.Addr, bool) {
	addr, err := netip.ParseAddr(s)
	return addr, err == nil && addr.Zone() == ""
}

// parseCIDR parses an address and its network as net.ParseCIDR does: the bits may have leading
// zeros.
func parseCIDR(s string) (addr netip.Addr, network netip.Prefix, ok bool) {
	before, bits, _ := strings.Cut(s, "/")
	addr, ok = parseAddr(before)
	n, err := strconv.ParseUint(bits, 10, 16)
	if !ok || err != nil || int(n) > addr.BitLen() {
		return addr, network, false
	}
	return addr, netip.PrefixFrom(addr, int(n)).Masked(), true
}

// newAddr returns an address object. An IPv4 address that is written as IPv6 counts as IPv4.
func newAddr(addr netip.Addr) *object {
	addr = addr.Unmap()
	return newObject("@ytt:ip.addr", map[string]function{
		"is_ipv4": getter(starlark.Bool(addr.Is4())),
		"is_ipv6": getter(starlark.Bool(addr.Is6())),
		"string":  getter(starlark.String(addr.String())),
	}, nil)
}

func newNet(network netip.Prefix) *object {
	addr, bits := network.Addr(), network.Bits()
	if addr.Is4In6() {
		addr, bits = addr.Unmap(), bits-(128-32)
	}
	return newObject("@ytt:ip.net", map[string]function{
		"addr":   getter(newAddr(addr)),
		"string": getter(starlark.String(netip.PrefixFrom(addr, bits).String())),
	}, nil)
}
