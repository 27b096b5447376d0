//go:build !js

package remote

import (
	"context"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"weft/internal/engine/fetch"
	"weft/internal/project/archive"
)

// OCI fetches an artifact or an image, such as registry.example.com/platform/base; version is a tag, a
// digest, or TAG@DIGEST, of which the digest counts. Layers are archives, of which each replaces files of
// those before it, or single files with a title.
func (c *Client) OCI(ctx context.Context, address, version string) (Fetched, error) {
	ref, err := c.parseReference(address)
	if err != nil {
		return Fetched{}, err
	}
	m, digest, err := c.manifest(ctx, ref, version)
	if err != nil {
		return Fetched{}, err
	}
	layers, err := c.layers(ctx, ref, m.Layers)
	if err != nil {
		return Fetched{}, err
	}
	files, err := archive.ReadLayers(shownAddress(address), layers, c.limits())
	return Fetched{digest, files}, err
}

// OCIDigest returns the digest that a tag of an artifact or an image has today.
func (c *Client) OCIDigest(ctx context.Context, address, tag string) (string, error) {
	ref, err := c.parseReference(address)
	if err != nil {
		return "", err
	}
	name, want, err := c.parseVersion(ref, tag)
	if err != nil {
		return "", err
	}
	_, digest, err := c.getManifest(ctx, ref, name, want)
	return digest, err
}

// manifest is what weft reads of a manifest or an index.
type manifest struct {
	SchemaVersion int          `json:"schemaVersion"`
	Layers        []descriptor `json:"layers"`
	Manifests     []descriptor `json:"manifests"`
}

// descriptor points to a blob or to a manifest.
type descriptor struct {
	MediaType   string            `json:"mediaType"`
	Digest      string            `json:"digest"`
	Size        int64             `json:"size"`
	Annotations map[string]string `json:"annotations"`
	Platform    struct {
		OS           string `json:"os"`
		Architecture string `json:"architecture"`
	} `json:"platform"`
}

const (
	emptyMediaType = "application/vnd.oci.empty.v1+json"
	titleKey       = "org.opencontainers.image.title"
	unpackKey      = "io.deis.oras.content.unpack" // a directory that oras has packed

	// manifestTypes are the media types of manifests and of indexes, of OCI and of docker.
	manifestTypes = "application/vnd.oci.image.manifest.v1+json, " +
		"application/vnd.docker.distribution.manifest.v2+json, " +
		"application/vnd.oci.image.index.v1+json, " +
		"application/vnd.docker.distribution.manifest.list.v2+json"

	maxManifest = 4 << 20 // as registries have it
	maxLayers   = 200
)

// manifest gets the manifest of a version, and its digest. An index leads to its only manifest.
func (c *Client) manifest(ctx context.Context, ref reference, version string) (*manifest, string, error) {
	version, want, err := c.parseVersion(ref, version)
	if err != nil {
		return nil, "", err
	}
	m, digest, err := c.getManifest(ctx, ref, version, want)
	if err != nil || len(m.Manifests) == 0 {
		return m, digest, err
	}
	d, err := c.only(ref, m.Manifests)
	if err != nil {
		return nil, "", err
	}
	inner, _, err := c.getManifest(ctx, ref, d, d)
	if err == nil && len(inner.Manifests) > 0 {
		err = c.fail(ref.address, "an index leads to another index").WithHint("use the digest of a manifest")
	}
	return inner, digest, err
}

// parseVersion returns the tag or the digest to ask for, and the digest that the answer must have.
func (c *Client) parseVersion(ref reference, version string) (name, digest string, err error) {
	tag, text, pinned := strings.Cut(version, "@")
	if !pinned && strings.HasPrefix(version, "sha256:") {
		tag, text, pinned = "", version, true
	}
	if pinned {
		digest, ok := parseDigest(text)
		if !ok {
			return "", "", c.fail(ref.address, "'%s' is not a digest", text).
				WithHint("write sha256: and 64 hexadecimal digits")
		}
		return digest, digest, nil
	}
	if !tags.Get().MatchString(tag) {
		return "", "", c.fail(ref.address, "'%s' is not a tag", tag).
			WithHint("use a tag of the repository, or a digest: sha256:…")
	}
	return tag, "", nil
}

func (c *Client) getManifest(
	ctx context.Context, ref reference, name, want string,
) (m *manifest, digest string, err error) {
	r := request{url: c.url(ref, "/manifests/"+name), accept: manifestTypes, exact: true, most: maxManifest}
	resp, err := c.askOK(ctx, ref, r)
	if err != nil {
		return nil, "", err
	}
	if told, ok := parseDigest(resp.Header.Get("Docker-Content-Digest")); ok && want == "" {
		want = told // bytes that were damaged on the way
	}
	if digest, err = c.checkDigest(ref.address, "the manifest", resp.Body, want); err != nil {
		return nil, "", err
	}
	m, problem := parseManifest(resp.Body)
	if problem != "" {
		return nil, "", c.fail(ref.address, "the manifest %s", problem).
			WithHint("push the artifact again with a current program")
	}
	return m, digest, nil
}

// parseManifest reads a manifest or an index. Registries may be hostile, so nothing in it is trusted.
func parseManifest(text []byte) (m *manifest, problem string) {
	m = &manifest{}
	switch err := json.Unmarshal(text, m); {
	case err != nil:
		return nil, "is not valid JSON of the expected form"
	case m.SchemaVersion != 2:
		return nil, "has a schema version that weft does not know: " + strconv.Itoa(m.SchemaVersion)
	case len(m.Layers) > maxLayers || len(m.Manifests) > maxLayers:
		return nil, "has more than " + strconv.Itoa(maxLayers) + " parts"
	case len(m.Layers) > 0 && len(m.Manifests) > 0:
		return nil, "is a manifest and an index at once"
	}
	for _, list := range [][]descriptor{m.Layers, m.Manifests} {
		for i := range list {
			digest, ok := parseDigest(list[i].Digest)
			if !ok || !strings.HasPrefix(list[i].Digest, "sha256:") {
				return nil, "has a digest that is not one of SHA-256"
			}
			if list[i].Size < 0 {
				return nil, "has a negative size"
			}
			list[i].Digest = digest
		}
	}
	return m, ""
}

// only returns the digest of the only manifest of an index. What programs attach for themselves has no
// platform.
func (c *Client) only(ref reference, list []descriptor) (string, error) {
	var digests, names []string
	for _, d := range list {
		if d.Platform.OS != "unknown" {
			digests = append(digests, d.Digest)
			names = append(names, d.Platform.OS+"/"+d.Platform.Architecture)
		}
	}
	if len(digests) != 1 {
		return "", c.fail(ref.address, "it is for %d platforms: %s", len(digests), strings.Join(names, ", ")).
			WithHint("configuration is for all platforms; to use one of these, make its digest the version")
	}
	return digests[0], nil
}

// layers gets the layers of a manifest, one after the other. They share the limit of bytes.
func (c *Client) layers(ctx context.Context, ref reference, list []descriptor) ([]archive.Layer, error) {
	list = slices.DeleteFunc(list, func(d descriptor) bool { return d.MediaType == emptyMediaType })
	if len(list) == 0 {
		return nil, c.fail(ref.address, "the artifact has no files").WithHint("check the name and the version")
	}
	total := int64(0)
	for _, d := range list {
		if total += min(d.Size, c.options.MaxBytes+1); total > c.options.MaxBytes {
			return nil, c.failed(ctx, ref.address, &fetch.TooLargeError{Limit: c.options.MaxBytes})
		}
	}
	layers := make([]archive.Layer, 0, len(list))
	before := int64(0)
	for _, d := range list {
		data, err := c.blob(ctx, ref, d, before, total)
		if err != nil {
			return nil, err
		}
		before += d.Size
		layer := archive.Layer{Data: data}
		if d.Annotations[unpackKey] != "true" {
			layer.Name = d.Annotations[titleKey]
		}
		layers = append(layers, layer)
	}
	return layers, nil
}

// blob gets the bytes that a descriptor points to; before and total are for progress.
func (c *Client) blob(ctx context.Context, ref reference, d descriptor, before, total int64) ([]byte, error) {
	if d.Size > c.options.MaxBytes {
		return nil, c.failed(ctx, ref.address, &fetch.TooLargeError{Limit: c.options.MaxBytes})
	}
	r := request{
		url: c.url(ref, "/blobs/"+d.Digest), exact: true, most: max(d.Size, 1),
		counted: true, before: before, total: total,
	}
	resp, err := c.askOK(ctx, ref, r)
	if err != nil {
		return nil, err
	}
	if int64(len(resp.Body)) != d.Size {
		return nil, c.fail(ref.address, "a layer has %d bytes, expected %d", len(resp.Body), d.Size).
			WithHint("try again; if the error stays, push the artifact again")
	}
	_, err = c.checkDigest(ref.address, "a layer", resp.Body, d.Digest)
	return resp.Body, err
}

// askOK sends a request to a registry, and returns an error if it does not succeed.
func (c *Client) askOK(ctx context.Context, ref reference, r request) (*fetch.Response, error) {
	r.address = ref.address
	resp, err := c.ask(ctx, ref, r)
	if err == nil && !resp.OK() {
		err = c.refused(r, resp, registryLogin(ref))
	}
	return resp, err
}

const (
	maxTagPages = 200
	maxTags     = 100_000
)

// OCITags returns the tags of a repository, in the order of the registry.
func (c *Client) OCITags(ctx context.Context, address string) ([]string, error) {
	ref, err := c.parseReference(address)
	if err != nil {
		return nil, err
	}
	next := c.url(ref, "/tags/list")
	next.RawQuery = "n=1000"
	var all []string
	for range maxTagPages {
		resp, err := c.askOK(ctx, ref, request{url: next})
		if err != nil {
			return nil, err
		}
		var page struct {
			Tags []string `json:"tags"`
		}
		if err := json.Unmarshal(resp.Body, &page); err != nil {
			return nil, c.fail(address, "the list of tags is not valid JSON").WithHint("check the name")
		}
		for _, tag := range page.Tags {
			if tags.Get().MatchString(tag) {
				all = append(all, tag)
			}
		}
		after := nextPage(next, resp.Header.Get("Link"))
		if after == nil || len(page.Tags) == 0 {
			return all, nil
		}
		if originOf(after) != originOf(next) { // the token is for this registry
			return nil, c.fail(address, "the list of tags goes on at '%s'", shown(after)).
				WithHint("ask those who run the registry: it must stay on its host")
		}
		if next = after; len(all) > maxTags {
			break
		}
	}
	return nil, c.fail(address, "the list of tags does not end").
		WithHint("write an exact version, which needs no list")
}

// nextPage returns the URL of the next page that a Link header names, or nil.
func nextPage(page *url.URL, link string) *url.URL {
	target, parameters, ok := strings.Cut(strings.TrimPrefix(strings.TrimSpace(link), "<"), ">")
	if !ok || !strings.Contains(strings.ReplaceAll(parameters, `"`, ""), "rel=next") {
		return nil
	}
	next, err := page.Parse(target)
	if err != nil {
		return nil
	}
	return next
}
