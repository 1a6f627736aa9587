package driver

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/rogpeppe/go-internal/cache"
)

// Store is a directory of answers. What nobody asked for in five days is removed.
type Store struct {
	cache *cache.Cache
}

// OpenStore opens the store in a directory, which is made if it is not there.
func OpenStore(dir string) (*Store, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	c, err := cache.Open(dir)
	if err != nil {
		return nil, err
	}
	return &Store{c}, nil
}

// trim removes what is old, at most once a day. What cannot be removed does no harm.
func (s *Store) trim() { _ = s.cache.Trim() }

// key is a hash of all that decides what there is to say of a package.
type key = cache.ActionID

// What is kept of a package.
const (
	factsOf  = "facts"
	answerOf = "answer"
)

// format is a part of all keys. It changes with the form of what is kept.
const format = "mapatom driver 1"

// sign gives all units their keys, imported ones first. A package that was listed
// with an error has none: it is loaded in every run, for what is to be said of it.
func (r *run) sign() {
	if r.opts.Store == nil {
		return
	}
	sums := r.sumFiles()
	for _, u := range r.order {
		if u.standard {
			continue
		}
		h := sha256.New()
		p := u.pkg
		fmt.Fprintf(h, "%s\n%s\n%s\n%q\n", format, r.opts.Identity, r.env.text, r.opts.BuildFlags)
		fmt.Fprintf(h, "package %q %q %q\n", p.ID, p.PkgPath, p.Name)
		if m := p.Module; m != nil {
			fmt.Fprintf(h, "module %q %q %q\n", m.Path, m.Version, m.GoVersion)
		}
		for _, file := range p.CompiledGoFiles {
			fmt.Fprintf(h, "file %q %x\n", file, sums[file])
		}
		for _, v := range u.imports {
			fmt.Fprintf(h, "import %q %x\n", v.pkg.ID, v.key)
		}
		h.Sum(u.key[:0])
	}
}

// sumFiles hashes the files that can change. One that cannot be read has no hash;
// the parser is going to say why.
func (r *run) sumFiles() map[string][]byte {
	var files []string
	for _, u := range r.order {
		if u.standard {
			continue
		}
		for _, file := range u.pkg.CompiledGoFiles {
			if !r.env.isFixed(file) {
				files = append(files, file)
			}
		}
	}
	sums := make([][]byte, len(files))
	const readers = 8
	next := make(chan int)
	var wait sync.WaitGroup
	for range min(readers, len(files)) {
		wait.Go(func() {
			for i := range next {
				if text, err := os.ReadFile(files[i]); err == nil {
					sum := sha256.Sum256(text)
					sums[i] = sum[:]
				}
			}
		})
	}
	for i := range files {
		next <- i
	}
	close(next)
	wait.Wait()
	byName := make(map[string][]byte, len(files))
	for i, file := range files {
		byName[file] = sums[i]
	}
	return byName
}

// recall shows the answer that is kept of a package, if there is one.
func (r *run) recall(u *unit) bool {
	text, ok := r.kept(u, answerOf)
	return ok && r.show(u, text) == nil
}

// recallFacts takes a package's Facts from the store, if they are there.
func (r *run) recallFacts(u *unit) bool {
	text, ok := r.kept(u, factsOf)
	if !ok {
		return false
	}
	facts, err := decodeFacts(text)
	if err != nil {
		return false
	}
	u.facts = facts
	return true
}

func (r *run) kept(u *unit, what string) ([]byte, bool) {
	if r.opts.Store == nil || len(u.pkg.Errors) > 0 {
		return nil, false
	}
	text, _, err := r.opts.Store.cache.GetBytes(cache.Subkey(u.key, what))
	return text, err == nil
}

// keep keeps the answer and the Facts of a package. A store that cannot be
// written to is one that has nothing the next time.
func (r *run) keep(u *unit, text []byte) {
	if r.opts.Store != nil {
		_ = r.opts.Store.cache.PutBytes(cache.Subkey(u.key, answerOf), text)
		r.keepFacts(u)
	}
}

func (r *run) keepFacts(u *unit) {
	if r.opts.Store == nil {
		return
	}
	if text, err := encodeFacts(u.facts); err == nil {
		_ = r.opts.Store.cache.PutBytes(cache.Subkey(u.key, factsOf), text)
	}
}

// DefaultStore is the store in the user's cache directory.
func DefaultStore() (*Store, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	return OpenStore(filepath.Join(dir, "mapatom"))
}
