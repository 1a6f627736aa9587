package sync_test

import (
	original "sync"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/checker/sched/sync"
)

func TestSizes(t *testing.T) {
	require.Equal(t, unsafe.Sizeof(original.Mutex{}), unsafe.Sizeof(sync.Mutex{}))
	require.Equal(t, unsafe.Sizeof(original.RWMutex{}), unsafe.Sizeof(sync.RWMutex{}))
	require.Equal(t, unsafe.Sizeof(original.WaitGroup{}), unsafe.Sizeof(sync.WaitGroup{}))
	require.Equal(t, unsafe.Sizeof(original.Once{}), unsafe.Sizeof(sync.Once{}))
}
