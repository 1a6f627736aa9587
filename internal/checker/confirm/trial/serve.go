package trial

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"
)

// The environment by which the process is told what to do.
const (
	// EnvCase is the index of the case.
	EnvCase = "MAPATOM_CASE"
	// EnvTime is the time limit, as time.Duration prints it.
	EnvTime = "MAPATOM_TIME"
	// EnvReport is the file that the report is written to, as JSON.
	EnvReport = "MAPATOM_REPORT"
)

// Serve runs the case that the environment names and writes the report. A
// generated test calls it.
func Serve(t *testing.T, cases ...func() *Case) {
	i, err := strconv.Atoi(os.Getenv(EnvCase))
	if err != nil || i < 0 || i >= len(cases) {
		t.Fatalf("%s: found %q, want the index of one of %d cases", EnvCase, os.Getenv(EnvCase), len(cases))
	}
	limit, err := time.ParseDuration(os.Getenv(EnvTime))
	if err != nil {
		t.Fatalf("%s: %v", EnvTime, err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	data, err := json.Marshal(Run(ctx, t, cases[i]()))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(os.Getenv(EnvReport), data, 0o666); err != nil {
		t.Fatal(fmt.Errorf("report: %w", err))
	}
}
