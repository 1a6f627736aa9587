// Package golangci is the plugin of golangci-lint's module plugin system: a
// golangci-lint that is built with this package has the linter mapatom. See
// docs/golangci-lint.md for the two files that a project needs.
package golangci

import (
	"fmt"
	"os"

	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis"

	"github.com/mapatom/mapatom/analyzer"
	"github.com/mapatom/mapatom/internal/analyzer/config"
)

func init() { register.Plugin("mapatom", New) }

// plugin is the linter with its settings.
type plugin struct{ config *config.Config }

// New makes the linter of the settings in .golangci.yml. They have the keys of
// .mapatom.yml, and one more: config names such a file, which they are added to.
func New(settings any) (register.LinterPlugin, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, fmt.Errorf("mapatom: %w", err)
	}
	path, settings, err := takeConfig(settings)
	if err != nil {
		return nil, err
	}
	c, err := config.FromSettings("settings of mapatom", dir, settings)
	if err != nil {
		return nil, err
	}
	if path != "" {
		base, err := config.Load(path)
		if err != nil {
			return nil, fmt.Errorf("settings of mapatom: config: %w", err)
		}
		c = c.Over(base)
	}
	return &plugin{c}, nil
}

// takeConfig takes the key config out of the settings.
func takeConfig(settings any) (path string, rest any, err error) {
	keys, ok := settings.(map[string]any)
	if !ok || keys["config"] == nil {
		return "", settings, nil
	}
	if path, ok = keys["config"].(string); !ok {
		return "", nil, fmt.Errorf("settings of mapatom: config: expected the path of a %s, found %v", config.FileName, keys["config"])
	}
	others := map[string]any{}
	for k, v := range keys {
		if k != "config" {
			others[k] = v
		}
	}
	return path, others, nil
}

// BuildAnalyzers implements register.LinterPlugin.
func (p *plugin) BuildAnalyzers() ([]*analysis.Analyzer, error) {
	return []*analysis.Analyzer{withOneIssue(analyzer.New(analyzer.Options{Config: p.config}))}, nil
}

// GetLoadMode implements register.LinterPlugin.
func (p *plugin) GetLoadMode() string { return register.LoadModeTypesInfo }
