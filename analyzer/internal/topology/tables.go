package topology

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/analyzer/internal/ssaprog"
)

// starters run a function that they are given in a goroutine of its own.
var starters = []string{
	"(*sync.WaitGroup).Go",
	"(*golang.org/x/sync/errgroup.Group).Go",
	"(*golang.org/x/sync/errgroup.Group).TryGo",
	"time.AfterFunc",
	"context.AfterFunc",
	"(*github.com/sourcegraph/conc.WaitGroup).Go",
	"(*github.com/sourcegraph/conc/pool.Pool).Go",
	"(*github.com/panjf2000/ants/v2.Pool).Submit",
	"github.com/panjf2000/ants/v2.Submit",
	"(*github.com/alitto/pond.WorkerPool).Submit",
}

// takers give a function that they are given to a server, which runs it for each
// request.
var takers = []string{
	"net/http.HandleFunc",
	"net/http.Handle",
	"(*net/http.ServeMux).HandleFunc",
	"(*net/http.ServeMux).Handle",
	"(*github.com/gorilla/mux.Router).HandleFunc",
	"(*github.com/julienschmidt/httprouter.Router).Handle",
	"(*net/rpc.Server).Register",
}

// requests are the types of what a server gives to a handler: whoever has one of them
// as a parameter runs for each request.
var requests = []string{
	"net/http.Request",
	"net/http.ResponseWriter",
	"google.golang.org/grpc.ServerStream",
	"google.golang.org/grpc.UnaryServerInfo",
	"github.com/gin-gonic/gin.Context",
	"github.com/labstack/echo.Context",
	"github.com/labstack/echo/v4.Context",
	"github.com/gofiber/fiber/v2.Ctx",
	"github.com/valyala/fasthttp.RequestCtx",
	"github.com/cloudwego/hertz/pkg/app.RequestContext",
}

func startsGoroutine(name string) bool { return slices.Contains(starters, name) }
func takesHandler(name string) bool    { return slices.Contains(takers, name) }

// servesRequests reports whether a function is given a request, and is not a helper of
// one that is: others know it by its signature.
func servesRequests(fn *ssa.Function) bool {
	for _, p := range fn.Params {
		obj := ssaprog.Named(p.Type())
		if obj != nil && obj.Pkg() != nil && slices.Contains(requests, unvendored(obj.Pkg())+"."+obj.Name()) {
			return true
		}
	}
	return false
}

// unvendored is the path of a package as its users import it.
func unvendored(p *types.Package) string {
	path := p.Path()
	if i := strings.LastIndex(path, "/vendor/"); i >= 0 {
		path = path[i+len("/vendor/"):]
	}
	return path
}
