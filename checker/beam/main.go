// Command beam decides a folder of recorded histories in parallel, on one
// machine or many, and writes one report:
//
//	go run . -files='recordings/*' -report=report.txt
//	go run . -files='gs://bucket/*' -report=gs://bucket/report.txt -runner=flink -endpoint=...
//
// It is a pipeline for Apache Beam: what finds and reads files, hands them out,
// brings results together and writes them is Beam's. A history falls into parts
// that are decided apart (monitor.Split), by key and at moments at which the
// state is certain; an object is linearizable if all its parts are.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/universal"
)

func main() {
	files := flag.String("files", "", "`pattern` of the files with histories")
	report := flag.String("report", "", "`file` to write the report to")
	runner := flag.String("runner", "prism", "Beam's `runner`: prism, which is this machine, or universal with an -endpoint")
	least := flag.Int("part", defaultPart, "the fewest `operations` that a part is cut off at")
	flag.Parse()
	beam.Init()
	if *files == "" || *report == "" {
		fmt.Fprintln(os.Stderr, "beam needs -files and -report")
		os.Exit(2)
	}
	p, s := beam.NewPipelineWithRoot()
	pipeline(s, *files, *report, *least)
	if _, err := beam.Run(context.Background(), *runner, p); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
