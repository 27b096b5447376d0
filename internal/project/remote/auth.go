//go:build !js

package remote

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"weft/internal/engine/fetch"
)

// registryLogin is the hint about missing credentials of a registry.
func registryLogin(ref reference) string { return "run docker login " + ref.registry }

// ask sends a request to a registry. If the registry wants credentials, it answers with a challenge, which
// is met once:
//
//   - Basic: the credentials go to the registry itself.
//   - Bearer: they go to the token server that the challenge names, which may be on another host, and the
//     registry gets the token. A registry could have its users' passwords in any case, so it may also say
//     where to check them. But only a registry that proved who it is: the challenge counts if the answer
//     came over https, or from this machine, and not after a redirect. The token server must be asked over
//     https, too, and redirects of its answers are not followed.
//
// A registry that is asked without encryption, because the person allows it, gets no credentials, unless it
// is on this machine; and then only a token server on the same host does.
func (c *Client) ask(ctx context.Context, ref reference, r request) (*fetch.Response, error) {
	key := originOf(r.url) + "/" + ref.repository
	r.address, r.auth = ref.address, c.token(key)
	resp, err := c.do(ctx, r)
	if err != nil || resp.Code != http.StatusUnauthorized || resp.URL.String() != r.url.String() {
		return resp, err
	}
	auth, err := c.meet(ctx, ref, r.url, resp.Header.Values("WWW-Authenticate"))
	if err != nil || auth == "" {
		return resp, err
	}
	c.hide(strings.TrimPrefix(auth, "Bearer "))
	c.mu.Lock()
	c.tokens[key] = auth
	c.mu.Unlock()
	r.auth = auth
	return c.do(ctx, r)
}

func (c *Client) token(key string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.tokens[key]
}

// meet returns the Authorization header that meets the challenges of a registry, or "".
func (c *Client) meet(ctx context.Context, ref reference, at *url.URL, challenges []string) (string, error) {
	for _, text := range challenges {
		scheme, parameters := parseChallenge(text)
		if scheme != "basic" && scheme != "bearer" {
			continue
		}
		var who credentials
		if mayCarry(at) {
			var err error
			if who, err = c.registryCredentials(ctx, ref); err != nil {
				return "", err
			}
		}
		switch {
		case scheme == "bearer" && who.registryToken != "":
			return "Bearer " + who.registryToken, nil
		case scheme == "bearer":
			return c.bearer(ctx, ref, at, parameters, who)
		case who.login != login{}:
			return c.basic(who.login), nil
		}
	}
	return "", nil
}

// bearer asks the token server of a challenge for a token that can only pull this repository.
func (c *Client) bearer(
	ctx context.Context, ref reference, at *url.URL, challenge map[string]string, who credentials,
) (string, error) {
	realm, err := url.Parse(challenge["realm"])
	if err != nil || realm.Host == "" {
		return "", c.fail(ref.address, "the registry names no token server").
			WithHint("check the name of the registry")
	}
	if at.Scheme != "https" && originOf(realm) != originOf(at) {
		who = credentials{}
	}
	scope := challenge["scope"]
	if scope == "" || strings.HasPrefix(scope, "repository:") {
		scope = "repository:" + ref.repository + ":pull" // whatever else the registry asks for
	}
	query := url.Values{"scope": {scope}}
	if challenge["service"] != "" {
		query.Set("service", challenge["service"])
	}
	const longest = 1 << 20
	r := request{address: ref.address, url: realm, still: true, most: longest}
	switch {
	case who.identityToken != "" && mayCarry(realm):
		query.Set("grant_type", "refresh_token")
		query.Set("client_id", "weft")
		query.Set("refresh_token", who.identityToken)
		r.method, r.form = http.MethodPost, query
	default:
		if who.login != (login{}) && mayCarry(realm) {
			r.auth = c.basic(who.login)
		}
		with := *realm
		with.RawQuery = strings.TrimPrefix(realm.RawQuery+"&"+query.Encode(), "&")
		r.url = &with
	}
	resp, err := c.do(ctx, r)
	if err != nil {
		return "", err
	}
	if !resp.OK() {
		return "", c.refused(r, resp, registryLogin(ref))
	}
	var answer struct {
		Token       string `json:"token"`
		AccessToken string `json:"access_token"`
	}
	if err := json.Unmarshal(resp.Body, &answer); err != nil || answer.Token+answer.AccessToken == "" {
		return "", c.fail(ref.address, "the token server '%s' sends no token", shown(realm)).
			WithHint("%s", registryLogin(ref))
	}
	if answer.Token == "" {
		answer.Token = answer.AccessToken
	}
	return "Bearer " + answer.Token, nil
}

// parseChallenge reads SCHEME NAME="VALUE",NAME=VALUE. Both results are in lower case, except for values.
func parseChallenge(text string) (scheme string, parameters map[string]string) {
	scheme, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	parameters = map[string]string{}
	for rest != "" {
		name, after, ok := strings.Cut(strings.TrimLeft(rest, " ,"), "=")
		if !ok {
			break
		}
		var value string
		if value, rest = challengeValue(after); value != "" {
			parameters[strings.ToLower(strings.TrimSpace(name))] = value
		}
	}
	return strings.ToLower(scheme), parameters
}

// challengeValue reads a word, or a quoted text with backslashes, and returns what follows it.
func challengeValue(text string) (value, rest string) {
	text = strings.TrimLeft(text, " ")
	if !strings.HasPrefix(text, `"`) {
		value, rest, _ = strings.Cut(text, ",")
		return strings.TrimSpace(value), rest
	}
	var b strings.Builder
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == '"':
			return b.String(), text[i+1:]
		case text[i] == '\\' && i+1 < len(text):
			i++
		}
		b.WriteByte(text[i])
	}
	return b.String(), ""
}
