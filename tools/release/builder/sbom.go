package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"runtime/debug"
	"time"

	cdx "github.com/CycloneDX/cyclonedx-go"
	"github.com/CycloneDX/cyclonedx-gomod/pkg/generate/bin"
	"github.com/rs/zerolog"
)

// sboms writes an SBOM for each binary: Go modules, Go's standard library, and the packages of the
// playground.
func (r *release) sboms(context.Context) error {
	for _, t := range r.targets {
		data, err := r.sbom(t, r.weft(), r.binaries[t])
		if err != nil {
			return fmt.Errorf("SBOM of weft for %s: %w", t, err)
		}
		if err := r.write(r.folder(t)+".cdx.json", data); err != nil {
			return err
		}
	}
	return nil
}

func (r *release) sbom(t target, p program, binary []byte) ([]byte, error) {
	generator, err := bin.NewGenerator(r.path(t, p),
		bin.WithIncludeStdlib(true), bin.WithVersionOverride(r.version.tag()),
		// Long package URLs would name the system of this machine, not that of the binary.
		bin.WithShortPURLS(true), bin.WithLogger(zerolog.Nop()))
	if err != nil {
		return nil, err
	}
	bom, err := generator.Generate()
	if err != nil {
		return nil, err
	}
	bom.SerialNumber = serialNumber(binary)
	bom.Metadata.Timestamp = r.time.Format(time.RFC3339)
	bom.Metadata.Tools = &cdx.ToolsChoice{Components: &[]cdx.Component{{
		Type: cdx.ComponentTypeApplication, Name: "cyclonedx-gomod",
		Version: dependency("github.com/CycloneDX/cyclonedx-gomod"),
	}}}
	for _, p := range p.npm {
		addPackage(bom, p)
	}
	var out bytes.Buffer
	encoder := cdx.NewBOMEncoder(&out, cdx.BOMFileFormatJSON).SetPretty(true)
	err = encoder.EncodeVersion(bom, cdx.SpecVersion1_6)
	return out.Bytes(), err
}

// addPackage adds a package of npm, on which weft depends.
func addPackage(bom *cdx.BOM, p npmPackage) {
	url := "pkg:npm/" + p.name + "@" + p.version
	if p.name[0] == '@' {
		url = "pkg:npm/%40" + p.name[1:] + "@" + p.version
	}
	component := cdx.Component{
		BOMRef: url, Type: cdx.ComponentTypeLibrary, Name: p.name, Version: p.version,
		PackageURL: url, Scope: cdx.ScopeRequired,
	}
	if p.license != "" {
		component.Licenses = &cdx.Licenses{{Expression: p.license}}
	}
	*bom.Components = append(*bom.Components, component)
	*bom.Dependencies = append(*bom.Dependencies, cdx.Dependency{Ref: url})
	for i, d := range *bom.Dependencies {
		if d.Ref == bom.Metadata.Component.BOMRef {
			refs := []string{}
			if d.Dependencies != nil {
				refs = *d.Dependencies
			}
			refs = append(refs, url)
			(*bom.Dependencies)[i].Dependencies = &refs
		}
	}
}

// serialNumber returns a UUID (version 8, with custom bits) computed from the binary, so that it is the
// same for every build.
func serialNumber(binary []byte) string {
	id := sha256.Sum256(binary)
	id[6], id[8] = id[6]&0x0f|0x80, id[8]&0x3f|0x80
	return fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:16])
}

// dependency returns the version of a module that this program is built with.
func dependency(path string) string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if m.Path == path {
				return m.Version
			}
		}
	}
	return ""
}
