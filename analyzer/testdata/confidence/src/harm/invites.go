package harm

import (
	"crypto/rand"
	"errors"
	"net/http"
	"sync"
	"time"
)

type invite struct {
	team    string
	expires time.Time
}

var invites sync.Map

// Issue has one invited, by a code that is drawn.
func Issue(team string) string {
	code := rand.Text()
	invites.Store(code, &invite{team, time.Now().Add(time.Hour)})
	return code
}

var errUnknownCode = errors.New("unknown code")

func highRedeem(code string) (*invite, error) {
	v, ok := invites.Load(code)
	if !ok {
		return nil, errUnknownCode
	}
	invites.Delete(code)
	inv := v.(*invite)
	if time.Now().After(inv.expires) {
		return nil, errUnknownCode
	}
	return inv, nil
}

// Accept lets one in by a code, which may be used once.
func Accept(join func(team string) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		inv, err := highRedeem(r.FormValue("code"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusGone)
			return
		}
		if err := join(inv.team); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	}
}
