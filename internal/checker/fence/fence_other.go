//go:build !linux || !(amd64 || arm64)

package fence

import (
	"fmt"
	"runtime"
)

// missing says why there is no fence here.
func missing() error { return fmt.Errorf("there is none for %s on %s", runtime.GOOS, runtime.GOARCH) }
