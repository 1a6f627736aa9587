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

// serials are interfaces whose methods are called one at a time, as their documentation says.
var serials = []Serial{
	{sqlConnection, nil},
	{[]string{"google.golang.org/grpc.ClientStream"}, []string{"RecvMsg"}},
	{[]string{"google.golang.org/grpc.ClientStream"}, []string{"SendMsg", "CloseSend"}},
	{[]string{"google.golang.org/grpc.ServerStream"}, []string{"RecvMsg"}},
	{[]string{"google.golang.org/grpc.ServerStream"}, []string{"SendMsg"}},
	{[]string{"github.com/hashicorp/raft.FSM", "github.com/hashicorp/raft.BatchingFSM"}, nil},
	{[]string{"github.com/cometbft/cometbft/abci/types.Application", "github.com/tendermint/tendermint/abci/types.Application"}, consensus},
	{[]string{"go.opentelemetry.io/otel/sdk/trace.SpanExporter"}, []string{"ExportSpans"}},
	{[]string{"go.opentelemetry.io/otel/sdk/metric.Exporter"}, []string{"Export"}},
	{[]string{"go.opentelemetry.io/otel/sdk/log.Exporter"}, []string{"Export"}},
	{[]string{"go.opentelemetry.io/collector/component.Component"}, []string{"Start", "Shutdown"}},
	{[]string{"github.com/influxdata/telegraf.Input"}, []string{"Init", "Start", "Gather", "Stop"}},
	{[]string{"github.com/influxdata/telegraf.Output"}, []string{"Init", "Connect", "Write", "Close"}},
	{[]string{"github.com/emersion/go-smtp.Session"}, nil},
	{[]string{"github.com/charmbracelet/bubbletea.Model", "charm.land/bubbletea/v2.Model"}, nil},
	{[]string{"github.com/rivo/tview.Primitive"}, nil},
	{[]string{"github.com/hajimehoshi/ebiten/v2.Game"}, nil},
}

// sqlConnection is a connection to a database, with what is made on it.
var sqlConnection = []string{
	"database/sql/driver.Conn", "database/sql/driver.ConnBeginTx", "database/sql/driver.ConnPrepareContext",
	"database/sql/driver.ExecerContext", "database/sql/driver.QueryerContext", "database/sql/driver.Pinger",
	"database/sql/driver.SessionResetter", "database/sql/driver.Validator", "database/sql/driver.Stmt",
	"database/sql/driver.StmtExecContext", "database/sql/driver.StmtQueryContext", "database/sql/driver.Tx", "database/sql/driver.Rows",
}

// consensus are the methods that the connection of consensus calls, one after the other.
var consensus = []string{
	"InitChain", "PrepareProposal", "ProcessProposal", "ExtendVote", "VerifyVoteExtension", "FinalizeBlock",
	"BeginBlock", "DeliverTx", "EndBlock", "Commit",
}
