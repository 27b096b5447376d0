package modules

import (
	"fmt"
	"net"
	"sync"

	"go.starlark.net/starlark"
)

var ipModule = sync.OnceValue(func() starlark.StringDict {
	return export("ip", map[string]function{
		"parse_addr": ofString(func(s string) (starlark.Value, error) {
			addr := net.ParseIP(s)
			if addr == nil {
				return nil, fmt.Errorf("invalid IP address: %s", s)
			}
			return newAddr(addr), nil
		}),
		"parse_cidr": ofString(func(s string) (starlark.Value, error) {
			addr, network, err := net.ParseCIDR(s)
			if err != nil {
				return nil, err
			}
			return starlark.Tuple{newAddr(addr), newNet(network)}, nil
		}),
	}, nil)
})

func newAddr(addr net.IP) *object {
	v4 := addr.To4() != nil
	return newObject("@ytt:ip.addr", map[string]function{
		"is_ipv4": getter(starlark.Bool(v4)),
		"is_ipv6": getter(starlark.Bool(!v4)),
		"string":  getter(starlark.String(addr.String())),
	}, nil)
}

func newNet(network *net.IPNet) *object {
	return newObject("@ytt:ip.net", map[string]function{
		"addr":   getter(newAddr(network.IP)),
		"string": getter(starlark.String(network.String())),
	}, nil)
}
