//go:build !js

package remote

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"weft/internal/lang/lazy"
)

// credentials are what docker has for a registry.
type credentials struct {
	login         login
	identityToken string // to be exchanged for tokens
	registryToken string // a token itself
}

// dockerConfig is what weft reads of docker's config file.
type dockerConfig struct {
	Auths       map[string]dockerAuth `json:"auths"`
	CredHelpers map[string]string     `json:"credHelpers"`
	CredsStore  string                `json:"credsStore"`
}

type dockerAuth struct {
	Auth          string `json:"auth"` // base64 of user:password
	Username      string `json:"username"`
	Password      string `json:"password"`
	IdentityToken string `json:"identitytoken"`
	RegistryToken string `json:"registrytoken"`
}

// registryCredentials returns the credentials that docker has for a registry: of the helper program that
// the person's config file names, or of the file itself.
func (c *Client) registryCredentials(ctx context.Context, ref reference) (credentials, error) {
	c.people.dockerOnce.Do(func() { c.people.docker, c.people.dockerErr = readDockerConfig() })
	if err := c.people.dockerErr; err != nil {
		return credentials{}, c.fail(ref.address, "docker's config file cannot be read: %s", err).
			WithHint("correct the file, or set the variable DOCKER_CONFIG to the directory of another one")
	}
	config := c.people.docker
	server := ref.registry
	if server == dockerHub {
		server = "https://index.docker.io/v1/" // its name since the first version of docker
	}
	helper := config.CredsStore
	for name, h := range config.CredHelpers {
		if isKeyOf(name, ref.registry) {
			helper = h
		}
	}
	if helper != "" {
		found, err := c.askHelper(ctx, ref, helper, server)
		if err != nil || found != (credentials{}) {
			return found, err
		}
	}
	for name, a := range config.Auths {
		if isKeyOf(name, ref.registry) {
			return c.stored(a), nil
		}
	}
	return credentials{}, nil
}

// isKeyOf reports whether a key of docker's config file is for a registry. Old versions wrote URLs.
func isKeyOf(key, registry string) bool {
	key = strings.TrimPrefix(strings.TrimPrefix(key, "https://"), "http://")
	for _, suffix := range []string{"/", "/v1", "/v2"} {
		key = strings.TrimSuffix(key, suffix)
	}
	if registry == dockerHub {
		return key == "index.docker.io" || key == "docker.io" || key == dockerHub
	}
	return strings.EqualFold(key, registry)
}

// stored returns the credentials that are in the file itself.
func (c *Client) stored(a dockerAuth) credentials {
	l := login{a.Username, a.Password}
	if text, err := base64.StdEncoding.DecodeString(a.Auth); err == nil && a.Auth != "" {
		l.user, l.password, _ = strings.Cut(strings.TrimRight(string(text), "\x00"), ":")
	}
	c.hide(l.password, a.Auth, a.IdentityToken, a.RegistryToken)
	return credentials{l, a.IdentityToken, a.RegistryToken}
}

// readDockerConfig reads config.json in the directory that the variable DOCKER_CONFIG names, or in .docker
// in the home directory.
func readDockerConfig() (dockerConfig, error) {
	var config dockerConfig
	dir := os.Getenv("DOCKER_CONFIG")
	if dir == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return config, nil
		}
		dir = filepath.Join(home, ".docker")
	}
	text, err := os.ReadFile(filepath.Join(dir, "config.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return config, nil
	}
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return config, e.Err
	}
	if err := json.Unmarshal(text, &config); err != nil {
		return config, errors.New("it is not valid JSON of the expected form") // err may quote a password
	}
	return config, nil
}

// helpers are the names that a helper may have: it must be a program of PATH.
var helpers = lazy.Regexp{Text: `^[A-Za-z0-9][A-Za-z0-9._-]*$`}

// helperTimeout is how long a helper may take, which may ask the person for a finger on a key.
const helperTimeout = time.Minute

// askHelper runs docker-credential-NAME, as docker does. What it prints is a secret, also if it fails.
func (c *Client) askHelper(ctx context.Context, ref reference, name, server string) (credentials, error) {
	program := "docker-credential-" + name
	fail := func(problem string) error {
		return c.fail(ref.address, "%s, which docker's config file names, %s", program, problem).
			WithHint("run docker login %s, or correct credsStore and credHelpers there", ref.registry)
	}
	if !helpers.Get().MatchString(name) {
		return credentials{}, c.fail(ref.address, "docker's config file names a helper that is not a name").
			WithHint("correct credsStore and credHelpers there")
	}
	ctx, cancel := context.WithTimeoutCause(ctx, helperTimeout, fail("did not end"))
	defer cancel()
	cmd := exec.CommandContext(ctx, program, "get")
	var out bytes.Buffer
	cmd.Stdin, cmd.Stdout = strings.NewReader(server), &out
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		return credentials{}, context.Cause(ctx)
	case errors.Is(err, exec.ErrDot):
		return credentials{}, fail("is in a relative directory of PATH")
	case errors.Is(err, exec.ErrNotFound):
		return credentials{}, fail("is not on PATH")
	case err != nil && strings.Contains(out.String(), "credentials not found"):
		return credentials{}, nil
	case err != nil:
		return credentials{}, fail("failed: " + err.Error())
	}
	var answer struct{ Username, Secret string }
	if json.Unmarshal(out.Bytes(), &answer) != nil {
		return credentials{}, fail("did not answer with credentials")
	}
	c.hide(answer.Secret)
	if answer.Username == "<token>" {
		return credentials{identityToken: answer.Secret}, nil
	}
	return credentials{login: login{answer.Username, answer.Secret}}, nil
}
