package main

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/tools/go/analysis/unitchecker"
)

// units writes what a build system tells its unit checker of a package and of all
// that it imports, as go vet does, and asks for what the imported packages say of
// themselves: units PACKAGE FILE. The description of the package itself is the
// file, and what it says of itself goes to FILE.vetx.
func units(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: units package file")
	}
	ts.Check(ts.Exec("go", "list", "-deps", "-json=ImportPath,Dir,GoFiles,Standard", args[0]))
	dec := json.NewDecoder(strings.NewReader(ts.ReadFile("stdout")))
	importMap, standard, vetx := map[string]string{"unsafe": "unsafe"}, map[string]bool{}, map[string]string{}
	dir := ts.MkAbs(args[1] + ".d")
	ts.Check(os.MkdirAll(dir, 0o755))
	var unit unitchecker.Config
	for dec.More() { // imported packages come first
		var p struct {
			ImportPath, Dir string
			GoFiles         []string
			Standard        bool
		}
		ts.Check(dec.Decode(&p))
		if p.ImportPath == "unsafe" { // which every type checker knows
			continue
		}
		if unit.ID != "" {
			file := writeUnit(ts, &unit)
			ts.Check(ts.Exec("mapatom", file))
			vetx[unit.ImportPath] = unit.VetxOutput
		}
		importMap[p.ImportPath], standard[p.ImportPath] = p.ImportPath, p.Standard
		unit = unitchecker.Config{
			ID: p.ImportPath, ImportPath: p.ImportPath, Dir: p.Dir, Compiler: "gc", GoVersion: "go1.26",
			ImportMap: maps.Clone(importMap), Standard: maps.Clone(standard), PackageVetx: maps.Clone(vetx),
			VetxOnly: true, VetxOutput: filepath.Join(dir, strconv.Itoa(len(vetx))+".vetx"),
		}
		for _, name := range p.GoFiles {
			unit.GoFiles = append(unit.GoFiles, filepath.Join(p.Dir, name))
		}
	}
	unit.VetxOnly, unit.VetxOutput = false, ts.MkAbs(args[1]+".vetx")
	ts.Check(os.Rename(writeUnit(ts, &unit), ts.MkAbs(args[1])))
}

// writeUnit writes a description beside what it asks for.
func writeUnit(ts *testscript.TestScript, unit *unitchecker.Config) string {
	text, err := json.MarshalIndent(unit, "", "\t")
	ts.Check(err)
	file := strings.TrimSuffix(unit.VetxOutput, ".vetx") + ".unit.cfg"
	ts.Check(os.WriteFile(file, text, 0o644))
	return file
}
