// Package sariftest checks for tests what a log of SARIF must have that its types do not
// ensure. That it is valid by the schema of the standard is tested in the module
// cmd/mapatom/internal/report/readers, which needs a validator.
package sariftest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"

	"github.com/mapatom/mapatom/cmd/mapatom/internal/report/sarif"
)

// Read reads a log of one run. It is an error if it has a property that is empty or -1, one
// that is not in the types, or if a result does not fit to the rules.
func Read(text []byte) (*sarif.Run, error) {
	var tree any
	if err := json.Unmarshal(text, &tree); err != nil {
		return nil, err
	}
	if err := lean("", tree); err != nil {
		return nil, err
	}
	var log sarif.Log
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&log); err != nil {
		return nil, err
	}
	if log.Version != sarif.Version || log.Schema != sarif.Schema || len(log.Runs) != 1 {
		return nil, fmt.Errorf("version %q, schema %q, %d runs", log.Version, log.Schema, len(log.Runs))
	}
	run := &log.Runs[0]
	for i := range run.Results {
		if err := check(run, &run.Results[i]); err != nil {
			return nil, fmt.Errorf("result %d: %w", i, err)
		}
	}
	return run, nil
}

// check checks a result.
func check(run *sarif.Run, res *sarif.Result) error {
	rules := run.Tool.Driver.Rules
	if res.RuleIndex < 0 || res.RuleIndex >= len(rules) || rules[res.RuleIndex].ID != res.RuleID {
		return fmt.Errorf("rule %d is not %s", res.RuleIndex, res.RuleID)
	}
	if len(res.Locations) != 1 {
		return fmt.Errorf("%d locations", len(res.Locations))
	}
	order := map[int]bool{}
	for _, flow := range res.CodeFlows {
		for _, thread := range flow.ThreadFlows {
			for _, loc := range thread.Locations {
				if loc.ExecutionOrder < 1 || order[loc.ExecutionOrder] {
					return fmt.Errorf("step %d is there twice, or has no place", loc.ExecutionOrder)
				}
				order[loc.ExecutionOrder] = true
			}
		}
	}
	return nil
}

// mayBeEmpty are texts of others: a fix can leave nothing, and a run that was not
// confirmed has no schedule.
var mayBeEmpty = regexp.MustCompile(`\.insertedContent\.text$|\.properties\.confirmation\.[a-z]+$`)

// lean reports the first property that says nothing. Results may be none.
func lean(path string, v any) error {
	switch v := v.(type) {
	case nil:
		return fmt.Errorf("%s is null", path)
	case float64:
		if v < 0 {
			return fmt.Errorf("%s is %v", path, v)
		}
	case string:
		if v == "" && !mayBeEmpty.MatchString(path) {
			return fmt.Errorf("%s is empty", path)
		}
	case []any:
		if len(v) == 0 && path != ".runs[0].results" {
			return fmt.Errorf("%s is []", path)
		}
		for i, item := range v {
			if err := lean(fmt.Sprintf("%s[%d]", path, i), item); err != nil {
				return err
			}
		}
	case map[string]any:
		if len(v) == 0 {
			return fmt.Errorf("%s is {}", path)
		}
		for key, item := range v {
			if err := lean(path+"."+key, item); err != nil {
				return err
			}
		}
	}
	return nil
}
