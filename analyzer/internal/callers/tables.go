package callers

import "go/types"

// commands are types that hold the functions of a program's command line.
var commands = map[string]bool{
	"github.com/spf13/cobra.Command":    true,
	"github.com/urfave/cli.App":         true,
	"github.com/urfave/cli.Command":     true,
	"github.com/urfave/cli/v2.App":      true,
	"github.com/urfave/cli/v2.Command":  true,
	"github.com/urfave/cli/v3.Command":  true,
	"github.com/mitchellh/cli.Command":  true,
	"github.com/alecthomas/kong.Kong":   true,
	"github.com/alecthomas/kingpin.App": true,
}

// callNow are functions, and packages of functions, that call what they are given before they
// return, and in the same goroutine.
var callNow = map[string]bool{
	"sort": true, "slices": true, "maps": true, "strings": true, "bytes": true, "path/filepath": true, "go/ast": true,
	"(*sync.Once).Do": true, "(*sync.Map).Range": true,
	"k8s.io/client-go/util/retry.RetryOnConflict": true, "k8s.io/client-go/util/retry.OnError": true,
	"k8s.io/apimachinery/pkg/util/wait.PollImmediate": true, "k8s.io/apimachinery/pkg/util/wait.Poll": true,
	"k8s.io/apimachinery/pkg/util/wait.PollUntilContextTimeout": true, "k8s.io/apimachinery/pkg/util/wait.PollUntilContextCancel": true,
	"k8s.io/apimachinery/pkg/util/wait.Until": true, "k8s.io/apimachinery/pkg/util/wait.UntilWithContext": true,
	"k8s.io/apimachinery/pkg/util/wait.JitterUntil": true, "k8s.io/apimachinery/pkg/util/wait.ExponentialBackoff": true,
}

// takes says what a function outside of the program does with a function that it is given.
func takes(callee *types.Func) usage {
	switch {
	case callee.Pkg() == nil, callNow[callee.FullName()], callNow[callee.Pkg().Path()]:
		return runs
	}
	return given
}

// requests are the types of what a server gives to those whom it has serve a request.
var requests = map[string]bool{
	"net/http.Request": true, "net/http.ResponseWriter": true, "google.golang.org/grpc.ServerStream": true,
	"google.golang.org/grpc.UnaryServerInfo": true, "google.golang.org/grpc.UnaryServerInterceptor": true, "github.com/miekg/dns.ResponseWriter": true,
	"github.com/gin-gonic/gin.Context": true, "github.com/labstack/echo.Context": true,
	"github.com/labstack/echo/v4.Context": true, "github.com/gofiber/fiber/v2.Ctx": true, "github.com/valyala/fasthttp.RequestCtx": true,
	"github.com/emicklei/go-restful/v3.Request": true,
}

// servesRequests reports whether a function is one that a server runs for its requests.
func servesRequests(sig *types.Signature) bool {
	for p := range sig.Params().Variables() {
		t := types.Unalias(p.Type())
		if ptr, ok := t.(*types.Pointer); ok {
			t = types.Unalias(ptr.Elem())
		}
		if n, ok := t.(*types.Named); ok && n.Obj().Pkg() != nil && requests[n.Obj().Pkg().Path()+"."+n.Obj().Name()] {
			return true
		}
	}
	return false
}

// takesLock and givesBack are the methods of locks that keep all others away.
var (
	takesLock = map[string]bool{"Lock": true, "TryLock": true, "lock": true, "tryLock": true, "Acquire": true, "TryAcquire": true, "LockKey": true}
	givesBack = map[string]bool{"Unlock": true, "unlock": true, "Release": true, "UnlockKey": true}
)

// queues are packages of work queues, whose Get hands out nothing that is worked on until it
// is given back.
var queues = map[string]bool{"k8s.io/client-go/util/workqueue": true}
