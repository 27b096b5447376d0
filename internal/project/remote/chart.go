//go:build !js

package remote

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/project/archive"
)

// chartMediaType is the media type of the layer that is a chart.
const chartMediaType = "application/vnd.cncf.helm.chart.content.v1.tar+gzip"

// Chart fetches a chart from a repository with an index.yaml or, if the address begins with oci://, from a
// registry, where name may be "" if the address has it. version is exact, or VERSION@DIGEST to get exactly
// these bytes. The directory with the name of the chart is left out.
func (c *Client) Chart(ctx context.Context, repo, name, version string) (Fetched, error) {
	if strings.HasPrefix(repo, "oci://") {
		fetched, _, err := c.chartOCI(ctx, repo, withName(repo, name), version)
		return fetched, err
	}
	version, pin, _ := strings.Cut(version, "@")
	r, err := c.listed(ctx, repo, name, version)
	if err != nil {
		return Fetched{}, err
	}
	return c.release(ctx, repo, r, pin)
}

// ChartDigest returns the digest that a version of a chart has today, or "" if the repository does not say
// it.
func (c *Client) ChartDigest(ctx context.Context, repo, name, version string) (string, error) {
	if strings.HasPrefix(repo, "oci://") {
		return c.OCIDigest(ctx, withName(repo, name), tagOf(version))
	}
	r, err := c.listed(ctx, repo, name, version)
	if err != nil || strings.HasPrefix(r.url, "oci://") { // see releaseOCI
		return "", err
	}
	digest, _ := parseDigest(r.digest)
	return digest, nil
}

// listed returns a version of a chart that a repository lists.
func (c *Client) listed(ctx context.Context, repo, name, version string) (release, error) {
	releases, err := c.releases(ctx, repo, name)
	if err != nil {
		return release{}, err
	}
	i := slices.IndexFunc(releases, func(r release) bool { return r.version == version })
	if i < 0 {
		i = slices.IndexFunc(releases, func(r release) bool {
			return strings.TrimPrefix(r.version, "v") == strings.TrimPrefix(version, "v")
		})
	}
	if i < 0 {
		return release{}, c.noVersion(repo, name, version, releases)
	}
	return releases[i], nil
}

// tagOf returns the tag of a version of a chart. A tag cannot have a plus sign, for which Helm writes an
// underscore.
func tagOf(version string) string { return strings.ReplaceAll(version, "+", "_") }

// withName returns the address of a chart of a registry.
func withName(repo, name string) string {
	if name == "" {
		return repo
	}
	return strings.TrimSuffix(repo, "/") + "/" + name
}

func (c *Client) noVersion(repo, name, version string, releases []release) error {
	all := make([]string, len(releases))
	for i, r := range releases {
		all[i] = r.version
	}
	d := c.fail(repo, "the chart '%s' has no version '%s'", name, version)
	if d.WithNearest(version, all); d.Hint == "" {
		d.WithHint("use one of its versions, such as %s", all[0])
	}
	return d
}

// release fetches a release of an index. pin is the digest that the caller wants, or "".
func (c *Client) release(ctx context.Context, repo string, r release, pin string) (Fetched, error) {
	want, err := c.wanted(repo, r, pin)
	if err != nil {
		return Fetched{}, err
	}
	base, err := c.parseURL(strings.TrimSuffix(repo, "/") + "/")
	if err != nil {
		return Fetched{}, err
	}
	at, err := base.Parse(r.url)
	if err != nil {
		return Fetched{}, c.fail(repo, "the index has an invalid URL for version %s", r.version).
			WithHint("use another version")
	}
	if at.Scheme == "oci" {
		return c.releaseOCI(ctx, repo, at, r, want)
	}
	// An index is not the person: it may not have other hosts asked with their credentials.
	data, err := c.download(ctx, repo, at, originOf(at) == originOf(base))
	if err != nil {
		return Fetched{}, err
	}
	digest, err := c.checkDigest(repo, "the chart", data, want)
	if err != nil {
		return Fetched{}, err
	}
	files, err := c.chartFiles(repo, data)
	return Fetched{digest, files}, err
}

// wanted returns the digest that a release must have: that of the index, which must agree with pin.
func (c *Client) wanted(repo string, r release, pin string) (string, error) {
	digest, ok := "", true
	if pin != "" {
		if digest, ok = parseDigest(pin); !ok {
			return "", c.fail(repo, "'%s' is not a digest", diag.Shortened(pin)).
				WithHint("write sha256: and 64 hexadecimal digits")
		}
	}
	if r.digest == "" || strings.HasPrefix(r.url, "oci://") {
		return digest, nil // see releaseOCI
	}
	told, ok := parseDigest(r.digest)
	switch {
	case !ok:
		return "", c.fail(repo, "the index has an invalid digest for version %s", r.version).
			WithHint("use another version")
	case digest != "" && digest != told:
		return "", c.differs(repo, "version "+r.version+" of the index", told, digest)
	}
	return told, nil
}

// releaseOCI fetches a release that an index has in a registry. The index may have the digest of the chart,
// or that of the artifact.
func (c *Client) releaseOCI(
	ctx context.Context, repo string, at *url.URL, r release, pin string,
) (Fetched, error) {
	name, tag, ok := strings.Cut(at.Path, ":")
	if !ok {
		return Fetched{}, c.fail(repo, "the index has an artifact without a tag, '%s'", shown(at)).
			WithHint("use another version")
	}
	if pin != "" {
		tag += "@" + pin
	}
	fetched, chart, err := c.chartOCI(ctx, repo, "oci://"+at.Host+name, tag)
	if err != nil || r.digest == "" {
		return fetched, err
	}
	if told, _ := parseDigest(r.digest); told != chart && told != fetched.Digest {
		return Fetched{}, c.differs(repo, "the chart", chart, r.digest)
	}
	return fetched, nil
}

// chartOCI fetches a chart from a registry. It also returns the digest of the chart itself.
func (c *Client) chartOCI(ctx context.Context, address, chart, version string) (Fetched, string, error) {
	ref, err := c.parseReference(chart)
	if err != nil {
		return Fetched{}, "", err
	}
	ref.address = address
	m, digest, err := c.manifest(ctx, ref, tagOf(version))
	if err != nil {
		return Fetched{}, "", err
	}
	i := slices.IndexFunc(m.Layers, func(d descriptor) bool { return d.MediaType == chartMediaType })
	if i < 0 {
		return Fetched{}, "", c.fail(address, "the artifact is not a Helm chart").
			WithHint("if it has other files, use `oci` instead of `chart`")
	}
	data, err := c.blob(ctx, ref, m.Layers[i], 0, m.Layers[i].Size)
	if err != nil {
		return Fetched{}, "", err
	}
	files, err := c.chartFiles(address, data)
	return Fetched{digest, files}, m.Layers[i].Digest, err
}

// chartFiles returns the files of a packaged chart.
func (c *Client) chartFiles(address string, data []byte) (*archive.Files, error) {
	files, err := archive.Read(shownAddress(address), data, c.limits())
	if err != nil {
		return nil, err
	}
	files = files.Below(files.Top())
	if !slices.Contains(files.Names(), "Chart.yaml") {
		return nil, c.fail(address, "the archive is not a Helm chart: it has no Chart.yaml").
			WithHint("if it has other files, use `http` instead of `chart`")
	}
	return files, nil
}

// ChartVersions returns the versions of a chart, in the order of the repository.
func (c *Client) ChartVersions(ctx context.Context, repo, name string) ([]string, error) {
	var versions []string
	if strings.HasPrefix(repo, "oci://") {
		all, err := c.OCITags(ctx, withName(repo, name))
		for _, tag := range all {
			versions = append(versions, strings.ReplaceAll(tag, "_", "+"))
		}
		return versions, err
	}
	releases, err := c.releases(ctx, repo, name)
	for _, r := range releases {
		versions = append(versions, r.version)
	}
	return versions, err
}

// releases returns the releases of a chart, of which there is at least one.
func (c *Client) releases(ctx context.Context, repo, name string) ([]release, error) {
	u, err := c.parseURL(strings.TrimSuffix(repo, "/") + "/index.yaml")
	if err != nil {
		return nil, err
	}
	text, err := c.index(ctx, repo, u)
	if err != nil {
		return nil, err
	}
	list, names, err := releasesOf(text, name)
	if errors.Is(err, errNoChart) {
		d := c.fail(repo, "the repository has no chart '%s'", name)
		if d.WithNearest(name, names); d.Hint == "" {
			d.WithHint("helm search repo lists the charts of a repository")
		}
		return nil, d
	}
	if err != nil {
		return nil, c.fail(repo, "its index.yaml cannot be used: %s", err).
			WithHint("name the directory of a chart repository that has an index.yaml")
	}
	return list, nil
}

// index gets the index of a repository. Unlike a chart it may be compressed on its way.
func (c *Client) index(ctx context.Context, repo string, u *url.URL) ([]byte, error) {
	auth, err := c.netrcAuth(u)
	if err != nil {
		return nil, err
	}
	return c.get(ctx, request{address: repo, url: u, auth: auth, counted: true})
}
