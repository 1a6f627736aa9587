// Package names has names with underscores, and of other alphabets: they are shown as
// they are, and mean nothing.
package names

import "sync"

type Shop struct{ 値段表 sync.Map }

func (s *Shop) Set(user_id string, 値段 int) { s.値段表.Store(user_id, 値段) }

func (s *Shop) Raise(user_id string, é int) {
	if v, ok := s.値段表.Load(user_id); ok {
		s.値段表.Store(user_id, v.(int)+é) // want "lost-update"
	}
}
