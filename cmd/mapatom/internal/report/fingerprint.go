package report

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// FingerprintKey names the way in which fingerprints are made. It changes with
// that, so that nobody compares fingerprints of two ways.
const FingerprintKey = "mapatom/v1"

// SetFingerprints names the findings by what they are about: the function, the
// map, the key and the calls, but not the line, the file, or the words of the
// message. Findings that are alike in all that are numbered in order.
func SetFingerprints(findings []Finding) {
	seen := map[string]int{}
	for i := range findings {
		f := &findings[i]
		h := sha256.New()
		fmt.Fprintf(h, "%q %q %q %q", f.Package, f.Function, f.Category, f.Cell)
		for _, op := range f.Operations {
			fmt.Fprintf(h, " %q", op.Name)
		}
		if len(f.Operations) == 0 { // the message is all there is
			fmt.Fprintf(h, " %q", f.Message)
		}
		alike := string(h.Sum(nil))
		fmt.Fprintf(h, " %d", seen[alike])
		seen[alike]++
		f.Fingerprint = hex.EncodeToString(h.Sum(nil)[:16])
	}
}
