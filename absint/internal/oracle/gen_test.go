package oracle

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestGenerateMix(t *testing.T) {
	for _, mix := range []Mix{
		{Cells: 1, Noise: 0}, {Cells: 1, Noise: 100},
		{Cells: 2, Noise: 0}, {Cells: 2, Noise: 100},
		{Cells: 1, Env: Package, Noise: 0}, {Cells: 1, Env: Package, Noise: 100},
		{Cells: 2, Env: Package, Noise: 0}, {Cells: 2, Env: Package, Noise: 100},
	} {
		t.Run(fmt.Sprintf("%+v", mix), func(t *testing.T) {
			const seed, n = 1, 300
			var bad, good, work int
			start := time.Now()
			total := 0
			for i := range uint64(n) {
				pr := Generate(Rand(seed, i), mix)
				pr.Bounds.Work = 10000
				t0 := time.Now()
				h, stats, err := Search(context.Background(), pr)
				total += stats.Interleavings
				if d := time.Since(t0); d > 500*time.Millisecond {
					t.Logf("slow %d: %v %+v %v", i, d, stats, err)
				}
				switch {
				case errors.Is(err, ErrWork):
					work++
				case err != nil:
					require.NoError(t, err)
				case h != nil:
					bad++
				default:
					good++
				}
			}
			t.Log("bad", bad, "good", good, "work", work, "interleavings", total, time.Since(start))
		})
	}
}
