package outside

import "strings"

// reaching are the packages of the standard library that reach files, the
// network or other processes, with those below them.
var reaching = []string{
	"crypto/tls", "database/sql", "expvar", "internal", "io/ioutil", "log/syslog", "net", "os", "plugin", "runtime/cgo", "syscall",
}

// harmless are packages among these, and functions and types of them, that
// reach nothing. To end the process is no harm.
var harmless = map[string]bool{
	"net/netip": true, "net/url": true, "net/textproto": true, "net/mail": true,

	"os.Getenv": true, "os.LookupEnv": true, "os.Environ": true, "os.ExpandEnv": true, "os.Expand": true, "os.Getpid": true,
	"os.IsNotExist": true, "os.IsExist": true, "os.IsPermission": true, "os.IsTimeout": true, "os.Exit": true,
	"os.FileMode": true, "os.PathError": true, "os.LinkError": true, "os.SyscallError": true, "os.FileInfo": true,
	"net.ParseIP": true, "net.ParseCIDR": true, "net.ParseMAC": true, "net.JoinHostPort": true, "net.SplitHostPort": true,
	"net.IPv4": true, "net.CIDRMask": true, "net.IPv4Mask": true,
	"net.IP": true, "net.IPNet": true, "net.IPMask": true, "net.HardwareAddr": true, "net.OpError": true, "net.Error": true,
	"net.AddrError": true, "net.ParseError": true, "net.TCPAddr": true, "net.UDPAddr": true, "net.Addr": true,
	"net/http.StatusText": true, "net/http.Header": true, "net/http.CanonicalHeaderKey": true, "net/http.DetectContentType": true,
	"syscall.Errno": true,
}

// reflection are the functions that call what has no name in the source.
var reflection = map[string]bool{
	"reflect.Value.Call": true, "reflect.Value.CallSlice": true, "reflect.Value.Method": true, "reflect.Value.MethodByName": true,
	"reflect.Type.Method": true, "reflect.Type.MethodByName": true,
}

// callbacks are the methods that functions of the standard library call on
// values which they are given as anything, with their types.
var callbacks = []string{
	"Error func() string", "String func() string", "GoString func() string", "Format func(fmt.State, rune)",
	"Scan func(fmt.ScanState, rune) error", "Scan func(any) error", "Value func() (database/sql/driver.Value, error)", "LogValue func() log/slog.Value",
	"Is func(error) bool", "As func(any) bool", "Unwrap func() error", "Unwrap func() []error",
	"MarshalJSON func() ([]byte, error)", "UnmarshalJSON func([]byte) error", "MarshalText func() ([]byte, error)", "UnmarshalText func([]byte) error",
	"AppendText func([]byte) ([]byte, error)", "AppendBinary func([]byte) ([]byte, error)", "MarshalBinary func() ([]byte, error)",
	"UnmarshalBinary func([]byte) error", "GobEncode func() ([]byte, error)", "GobDecode func([]byte) error",
	"MarshalXML func(*encoding/xml.Encoder, encoding/xml.StartElement) error",
	"UnmarshalXML func(*encoding/xml.Decoder, encoding/xml.StartElement) error",
	"MarshalXMLAttr func(encoding/xml.Name) (encoding/xml.Attr, error)", "UnmarshalXMLAttr func(encoding/xml.Attr) error",
	"Len func() int", "Less func(int, int) bool", "Swap func(int, int)", "Push func(any)", "Pop func() any",
	"Read func([]byte) (int, error)", "Write func([]byte) (int, error)", "Close func() error", "Seek func(int64, int) (int64, error)",
	"ReadFrom func(io.Reader) (int64, error)", "WriteTo func(io.Writer) (int64, error)", "ReadByte func() (byte, error)",
	"WriteByte func(byte) error", "WriteString func(string) (int, error)", "ReadAt func([]byte, int64) (int, error)",
	"WriteAt func([]byte, int64) (int, error)", "Done func() <-chan struct{}", "Err func() error", "Lock func()", "Unlock func()",
}

// standard reports whether a function of the standard library, or a method of a
// type, reaches outside.
func standard(path, name string) bool {
	if harmless[path] || harmless[path+"."+name] {
		return false
	}
	if recv, _, isMethod := strings.Cut(name, "."); isMethod && harmless[path+"."+recv] {
		return false
	}
	for _, r := range reaching {
		if path == r || strings.HasPrefix(path, r+"/") {
			return true
		}
	}
	return false
}
