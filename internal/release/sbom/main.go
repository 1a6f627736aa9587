// Command sbom writes what a Go binary was linked from as a bill of materials: the modules
// that the linker has put into it, with their checksums, in the form of CycloneDX 1.6.
//
//	sbom BINARY FILE
//
// Releases are made with it. It has no date and no serial number, so that the same binary
// has the same file.
package main

import (
	"cmp"
	"debug/buildinfo"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "sbom:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("usage: sbom BINARY FILE")
	}
	info, err := buildinfo.ReadFile(args[0])
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(materials(info), "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(args[1], append(text, '\n'), 0o644)
}

// bill is a document of CycloneDX.
type bill struct {
	Format      string      `json:"bomFormat"`
	SpecVersion string      `json:"specVersion"`
	Version     int         `json:"version"`
	Metadata    metadata    `json:"metadata"`
	Components  []component `json:"components"`
}

type metadata struct {
	Component component `json:"component"`
}

type component struct {
	Type    string   `json:"type"`
	Name    string   `json:"name"`
	Version string   `json:"version,omitempty"`
	URL     string   `json:"purl,omitempty"`
	Hashes  []digest `json:"hashes,omitempty"`
}

type digest struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

// materials are the standard library and all modules.
func materials(info *debug.BuildInfo) bill {
	b := bill{Format: "CycloneDX", SpecVersion: "1.6", Version: 1, Metadata: metadata{module(&info.Main, "application")}}
	version := strings.TrimPrefix(info.GoVersion, "go")
	b.Components = []component{{Type: "library", Name: "std", Version: version, URL: "pkg:golang/std@" + version}}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		b.Components = append(b.Components, module(m, "library"))
	}
	return b
}

func module(m *debug.Module, kind string) component {
	version := cmp.Or(m.Version, "(devel)")
	c := component{Type: kind, Name: m.Path, Version: version, URL: "pkg:golang/" + m.Path + "@" + strings.ReplaceAll(version, "+", "%2B")}
	// The go command's own checksum is one of the module's files, by SHA-256.
	if sum, ok := strings.CutPrefix(m.Sum, "h1:"); ok {
		if raw, err := base64.StdEncoding.DecodeString(sum); err == nil {
			c.Hashes = []digest{{"SHA-256", hex.EncodeToString(raw)}}
		}
	}
	return c
}
