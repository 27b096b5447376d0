//go:build !js

package remote

import (
	"context"
	"net"
	"net/netip"
	"slices"

	"weft/internal/lang/diag"
)

// Addresses returns the addresses that a host name leads to, for another program that connects by itself,
// such as git. It is an error if one of them must not be asked; allowed is for those of the own machine. It
// returns none if the name is unknown here: a proxy may know it, or the settings of ssh.
func (c *Client) Addresses(ctx context.Context, host string, allowed bool) ([]string, error) {
	refused := func(err *hostError) error {
		return diag.Failf(CodeHost, "'%s' must not be asked: %s", host, err.message).WithHint("%s", err.hint)
	}
	if addr, err := netip.ParseAddr(host); err == nil {
		if err, ok := checkAddress(addr, allowed, "https", host).(*hostError); ok {
			return nil, refused(err)
		}
		return []string{addr.String()}, nil
	}
	if isNumeric(host) {
		return nil, refused(&hostError{"it is not a host name", "write an address as four numbers"})
	}
	found, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return nil, nil
	}
	var list []string
	for _, addr := range found {
		if err, ok := checkAddress(addr, allowed, "https", host).(*hostError); ok {
			return nil, refused(err)
		}
		list = append(list, addr.Unmap().String())
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}
