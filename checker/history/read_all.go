package history

import (
	"io"
	"os"
	"sync"
)

// readAll reads what is left of r. A file is read in as many parts at once as
// there are workers: most of the time goes into giving out memory for it,
// which the kernel does for each part by itself.
func readAll(r io.Reader, workers int) ([]byte, error) {
	f, ok := r.(*os.File)
	if !ok {
		return io.ReadAll(r)
	}
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return io.ReadAll(r)
	}
	at, err := f.Seek(0, io.SeekCurrent)
	if err != nil || info.Size() <= at {
		return io.ReadAll(r)
	}
	data := make([]byte, info.Size()-at)
	if !readParts(f, at, data, workers) {
		return io.ReadAll(r) // it has become shorter: take it as it comes
	}
	return data, nil
}

// readParts fills data with what the file has from an offset on, and reports
// whether there was enough.
func readParts(f *os.File, at int64, data []byte, workers int) bool {
	const least = 1 << 20 // less is not worth a goroutine
	part := max(len(data)/workers+1, least)
	failed := make([]bool, len(data)/part+1)
	var wg sync.WaitGroup
	for i := range failed {
		wg.Go(func() {
			piece := data[i*part : min((i+1)*part, len(data))]
			n, _ := f.ReadAt(piece, at+int64(i*part))
			failed[i] = n < len(piece)
		})
	}
	wg.Wait()
	for _, bad := range failed {
		if bad {
			return false
		}
	}
	return true
}
