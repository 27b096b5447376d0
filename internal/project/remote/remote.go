// Package remote fetches vendored sources over the network: files and archives over https, artifacts and
// images of OCI registries, Helm charts. Addresses may come from a weft.yml that someone else wrote.
//
// It takes addresses and versions, and returns Files with the digest of what was fetched. It leaves to
// others which versions fit a range, which files are kept, the lock, and git.
//
//	remote.go     what is fetched, and what the person allows
//	client.go     the client
//	client_js.go  the client in WebAssembly, which fetches nothing
//	policy.go     which addresses may be asked
//	addresses.go  those of a host, for programs that connect by themselves
//	request.go    one request of a client, and its errors
//	http.go       files and archives
//	oci.go        artifacts and images: manifests, layers, tags
//	reference.go  the names of artifacts and images
//	auth.go       challenges of registries, and tokens
//	docker.go     credentials of docker's config file and its helpers
//	netrc.go      credentials of the netrc file
//	chart.go      charts of repositories and of registries
//	index.go      the index.yaml of a chart repository
package remote

import (
	"time"

	"weft/internal/lang/diag"
	"weft/internal/project/archive"
)

// The codes of this package's diagnostics.
const (
	CodeFetch  diag.Code = "vendor/fetch"  // an answer that is missing, late, cut or not as expected
	CodeHost   diag.Code = "vendor/host"   // an address that must not be asked
	CodeDigest diag.Code = "vendor/digest" // bytes that differ from the expected ones
)

// Options are what the person at the command line allows and wants to see.
type Options struct {
	// AllowOutside are URLs, or hosts with an optional port, that --allow-outside names. A loopback address
	// is used only if it is among them, and plain http only for a URL that begins with http://. Scheme,
	// host and port count, not the path.
	AllowOutside []string

	// Progress, if not nil, is told how many bytes of an address have arrived. name is the address as it
	// was passed to the method of Client; total is -1 if the server does not say it. It is called by
	// several goroutines at once if the Client is used by them.
	Progress func(name string, done, total int64)

	Timeout  time.Duration // for each request, with its redirects and its body; zero means the default
	MaxBytes int64         // of each response, and of all layers of an artifact; zero means the default

	// Announce, if not nil, is called before the first request to each host, also to those of redirects
	// and of token servers. Calls do not overlap.
	Announce func(hosts []string)
}

// Fetched is what an address leads to.
type Fetched struct {
	// Digest identifies what was fetched, as sha256:HEX: the bytes of a file, an archive or a chart, or the
	// manifest of an OCI artifact.
	Digest string

	// Files are the files of an archive, or the only file. Select checks them.
	Files *archive.Files
}
