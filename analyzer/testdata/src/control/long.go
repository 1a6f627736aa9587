package control

import (
	"errors"
	"strconv"
	"strings"
	"sync"
)

// Server answers a small text protocol.
type Server struct {
	sessions sync.Map // string -> *session
	version  string
}

// Put is the second writer.
func (s *Server) Put(id string, v *session) { s.sessions.Store(id, v) }

var (
	errEmpty   = errors.New("empty line")
	errArgs    = errors.New("wrong number of arguments")
	errNumber  = errors.New("not a number")
	errUnknown = errors.New("unknown command")
	errDenied  = errors.New("denied")
)

// Handle is a long handler: the step lies in the middle of two hundred lines
// that are about other things.
func (s *Server) Handle(line string, admin bool) (string, error) {
	line = strings.TrimSpace(line)
	if line == "" {
		return "", errEmpty
	}
	comment := ""
	if i := strings.IndexByte(line, '#'); i >= 0 {
		comment = strings.TrimSpace(line[i+1:])
		line = strings.TrimSpace(line[:i])
		if line == "" {
			return comment, nil
		}
	}
	fields := strings.Fields(line)
	verb := strings.ToUpper(fields[0])
	args := fields[1:]
	quiet := false
	limit := 100
	width := 80
	for len(args) > 0 && strings.HasPrefix(args[0], "-") {
		option := args[0][1:]
		args = args[1:]
		switch {
		case option == "q":
			quiet = true
		case strings.HasPrefix(option, "n"):
			n, err := strconv.Atoi(option[1:])
			if err != nil {
				return "", errNumber
			}
			limit = n
		case strings.HasPrefix(option, "w"):
			n, err := strconv.Atoi(option[1:])
			if err != nil || n <= 0 {
				return "", errNumber
			}
			width = n
		default:
			return "", errUnknown
		}
	}
	var out strings.Builder
	write := func(text string) {
		if quiet {
			return
		}
		if out.Len()+len(text) > width {
			out.WriteByte('\n')
		}
		out.WriteString(text)
	}
	switch verb {
	case "PING":
		write("PONG")
	case "ECHO":
		write(strings.Join(args, " "))
	case "VERSION":
		if len(args) != 0 {
			return "", errArgs
		}
		write("version ")
		write(s.version)
	case "ADD":
		sum := 0
		for _, arg := range args {
			n, err := strconv.Atoi(arg)
			if err != nil {
				return "", errNumber
			}
			sum += n
		}
		write(strconv.Itoa(sum))
	case "MAX":
		if len(args) == 0 {
			return "", errArgs
		}
		best, err := strconv.Atoi(args[0])
		if err != nil {
			return "", errNumber
		}
		for _, arg := range args[1:] {
			n, err := strconv.Atoi(arg)
			if err != nil {
				return "", errNumber
			}
			if n > best {
				best = n
			}
		}
		write(strconv.Itoa(best))
	case "REPEAT":
		if len(args) != 2 {
			return "", errArgs
		}
		n, err := strconv.Atoi(args[0])
		if err != nil {
			return "", errNumber
		}
		if n > limit {
			n = limit
		}
		write(strings.Repeat(args[1], n))
	case "OPEN":
		if len(args) != 1 {
			return "", errArgs
		}
		id := strings.ToLower(args[0])
		if strings.HasPrefix(id, "admin") && !admin {
			return "", errDenied
		}
		if _, ok := s.sessions.Load(id); ok {
			write("open already")
			break
		}
		v := &session{hits: 1}
		s.sessions.Store(id, v) // want "lost-update"
		write("opened")
	case "TRY":
		if len(args) != 1 {
			return "", errArgs
		}
		id := strings.ToLower(args[0])
		if _, loaded := s.sessions.LoadOrStore(id, &session{hits: 1}); loaded {
			write("open already")
			break
		}
		write("opened")
	case "SHOW":
		if len(args) != 1 {
			return "", errArgs
		}
		if _, ok := s.sessions.Load(strings.ToLower(args[0])); !ok {
			write("closed")
			break
		}
		write("open")
	case "UPPER":
		for i, arg := range args {
			if i > 0 {
				write(" ")
			}
			write(strings.ToUpper(arg))
		}
	case "REVERSE":
		for i := len(args) - 1; i >= 0; i-- {
			write(args[i])
			if i > 0 {
				write(" ")
			}
		}
	case "COUNT":
		longest := 0
		for _, arg := range args {
			if len(arg) > longest {
				longest = len(arg)
			}
		}
		write(strconv.Itoa(len(args)))
		write(" words, the longest of ")
		write(strconv.Itoa(longest))
	case "QUOTE":
		if len(args) == 0 {
			return "", errArgs
		}
		for i, arg := range args {
			if i >= limit {
				write("...")
				break
			}
			write(strconv.Quote(arg))
		}
	default:
		return "", errUnknown
	}
	answer := out.String()
	if comment != "" {
		answer += " # " + comment
	}
	if len(answer) > limit*width {
		answer = answer[:limit*width]
	}
	return answer, nil
}
