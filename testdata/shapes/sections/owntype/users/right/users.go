// Package users signs users up.
package users

import (
	"encoding/json"
	"net/http"

	"github.com/mapatom/mapatom/testdata/shapes/sections/owntype/users/store"
)

// API is the HTTP interface to the users.
type API struct {
	users *store.Users
}

// New returns an interface to users.
func New(users *store.Users) *API { return &API{users: users} }

// SignUp adds a user, if the name is free.
func (a *API) SignUp(w http.ResponseWriter, r *http.Request) {
	var u store.User
	if err := json.NewDecoder(r.Body).Decode(&u); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if !a.users.Add(u.Name, &u) {
		http.Error(w, "name is taken", http.StatusConflict)
		return
	}
	w.WriteHeader(http.StatusCreated)
}

// Show shows a user.
func (a *API) Show(w http.ResponseWriter, r *http.Request) {
	u, ok := a.users.Get(r.PathValue("name"))
	if !ok {
		http.NotFound(w, r)
		return
	}
	json.NewEncoder(w).Encode(u)
}
