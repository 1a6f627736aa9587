package analyzer

import (
	"fmt"
	"slices"
	"sync"

	"github.com/mapatom/mapatom/analyzer/internal/check"
	"github.com/mapatom/mapatom/analyzer/internal/evidence"
	"github.com/mapatom/mapatom/internal/analyzer/catalog"
	"github.com/mapatom/mapatom/internal/analyzer/config"
)

// settings are options with what the configuration says where they say nothing.
type settings struct {
	Options
	// cat is the catalog with the types and rules of the configuration.
	cat *catalog.Catalog
}

// weigh are the options that say what is shown.
func (o *Options) weigh() evidence.Options {
	return evidence.Options{Report: o.Report, Tests: o.Tests, Confidence: o.Confidence, Config: o.Config, Rules: o.Rules}
}

// check are the options for a package.
func (s *settings) check() check.Options {
	return check.Options{Env: s.Env, Weigh: s.weigh(), Budget: int(s.Budget), Sole: s.Sole}
}

// settled returns a function that finds the settings out once, when the flags
// have been parsed.
func (o *Options) settled() func() (*settings, error) {
	return sync.OnceValues(func() (*settings, error) {
		s := &settings{Options: *o, cat: catalog.Default()}
		if s.Config == nil {
			s.Config = &config.Config{}
		}
		if o.configFile != "" && o.configFile != config.None {
			var err error
			if s.Config, err = config.Load(o.configFile); err != nil {
				return nil, fmt.Errorf("read the configuration: %w", err)
			}
		}
		return s, s.configure()
	})
}

// configure takes from the configuration what the options leave open.
func (s *settings) configure() error {
	if c := s.Config; c.Table != nil {
		s.cat = s.cat.Merge(c.Table)
	}
	if w := s.Config.Environment; w != "" && s.Env == config.EnvDefault {
		if err := s.Env.Set(w); err != nil {
			return err
		}
	}
	if w := s.Config.Report; w != "" && s.Report == config.ReportUnset {
		if err := s.Report.Set(w); err != nil {
			return err
		}
	}
	if w := s.Config.Confidence; w != "" && s.Confidence == config.ConfidenceUnset {
		if err := s.Confidence.Set(w); err != nil {
			return err
		}
	}
	if s.Budget == 0 {
		s.Budget = s.Config.Budget
	}
	s.Rules = s.Rules.And(s.Config.Rules)
	for _, id := range s.Rules.All() {
		if !slices.ContainsFunc(evidence.Rules(), func(r evidence.Rule) bool { return r.ID == id }) {
			return fmt.Errorf("there is no rule %s that could be switched off; see docs/rules.md", id)
		}
	}
	if s.Env == config.EnvDefault {
		s.Env = EnvAuto
	}
	return nil
}
