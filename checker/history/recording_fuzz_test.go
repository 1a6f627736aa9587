package history

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"strings"
	"testing"

	"github.com/mapatom/mapatom/checker/internal/recording"
	"github.com/stretchr/testify/require"
)

// FuzzRecording reads frames whose payload is anything: an error, or logs that are
// well formed. The checksums are made right, since nothing would come past them.
func FuzzRecording(f *testing.F) {
	block := []byte{0, 0, 0, 5, recording.Word, 0, 4, 'l', 'o', 'a', 'd', recording.Call, 0, 1, 1, recording.Int, 2, recording.Return, 1, 3, 2, recording.Text, 1, 'x', recording.True}
	f.Add([]byte(`{"format":"mapatom-recording","version":1,"kind":"map"}`), block, []byte{200, 1})
	f.Add([]byte(`{"format":"mapatom-recording","version":1,"kind":"register","initial":[1]}`), block, []byte{})
	f.Add([]byte(`{}`), []byte{}, []byte{})
	f.Fuzz(func(t *testing.T, header, block, mark []byte) {
		data := append([]byte(recording.Magic), append(header, '\n')...)
		for i, payload := range [][]byte{block, mark} {
			at := len(data)
			data = append(data, []byte{recording.Block, recording.Mark}[i])
			data = binary.LittleEndian.AppendUint32(data, uint32(len(payload)))
			data = append(data, payload...)
			data = binary.LittleEndian.AppendUint32(data, crc32.ChecksumIEEE(data[at:]))
		}
		in, err := ReadInput("f", bytes.NewReader(data), Options{})
		if err != nil {
			return
		}
		for _, l := range in.Logs {
			require.NoError(t, l.Check())
		}
	})
}

// FuzzEventStream reads any text as events that grow: an error, or logs that are
// well formed.
func FuzzEventStream(f *testing.F) {
	f.Add("{\"format\":\"mapatom-history\",\"version\":1,\"kind\":\"map\"}\n" +
		"{\"type\":\"call\",\"id\":1,\"thread\":\"A\",\"method\":\"load\",\"args\":[\"k\"]}\n{\"type\":\"return\",\"id\":1,\"results\":[[2],true]}\n")
	f.Add("{\"format\":\"mapatom-history\",\"version\":1,\"kind\":\"queue\"}\n" +
		"{\"type\":\"call\",\"id\":-7,\"thread\":3,\"method\":\"enq\",\"args\":[null]}\n{\"type\":\"stuck\"}")
	f.Fuzz(func(t *testing.T, text string) {
		rd, err := NewRecording("f", strings.NewReader(text), Options{Format: Events})
		for err == nil {
			err = rd.Next()
		}
		if !errors.Is(err, io.EOF) {
			return
		}
		for _, table := range rd.Tables {
			l, _ := table.View(rd.Until)
			require.NoError(t, l.Check())
		}
	})
}
