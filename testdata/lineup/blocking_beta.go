package lineup

import "sync/atomic"

// BlockingCollectionBeta counts its items beside the queue. Who tries to take
// one takes it off the count first, and puts it back if there was none. While
// he does, Count can be 0 (root cause H) and TryTake can fail (root cause I)
// although there is an item; both are documented. CompleteAdding takes effect
// some time after it has returned (root cause K).
//
//	H: TryAdd(10) Count() | TryTake()
//	I: TryAdd(10) TryTake() | TryTake()
//	K: CompleteAdding() IsAddingCompleted()
type BlockingCollectionBeta struct {
	inner BlockingCollection
	count atomic.Int32
}

func NewBlockingCollectionBeta() *BlockingCollectionBeta {
	c := &BlockingCollectionBeta{}
	c.inner.changed.L = &c.inner.mu
	return c
}

func (c *BlockingCollectionBeta) Add(v int) error {
	err := c.inner.Add(v)
	if err == nil {
		c.count.Add(1)
	}
	return err
}

func (c *BlockingCollectionBeta) TryAdd(v int) bool {
	added := c.inner.TryAdd(v)
	if added {
		c.count.Add(1)
	}
	return added
}

func (c *BlockingCollectionBeta) Take() (int, error) {
	v, err := c.inner.Take()
	if err == nil {
		c.count.Add(-1)
	}
	return v, err
}

func (c *BlockingCollectionBeta) TryTake() (v int, ok bool) {
	if c.count.Add(-1) >= 0 {
		v, ok = c.inner.TryTake()
	}
	if !ok {
		c.count.Add(1)
	}
	return v, ok
}

func (c *BlockingCollectionBeta) CompleteAdding() { go c.inner.CompleteAdding() }

func (c *BlockingCollectionBeta) Count() int              { return max(0, int(c.count.Load())) }
func (c *BlockingCollectionBeta) ToArray() []int          { return c.inner.ToArray() }
func (c *BlockingCollectionBeta) IsAddingCompleted() bool { return c.inner.IsAddingCompleted() }
func (c *BlockingCollectionBeta) IsCompleted() bool       { return c.inner.IsCompleted() }

// BlockingCollectionPre looks whether there is an item and waits for one in
// two steps (root cause D): an Add between them wakes nobody, and Take waits
// for ever beside an item. CompleteAdding is as late as in
// BlockingCollectionBeta (root cause K).
//
//	D: Take() | Add(10)
//	K: CompleteAdding() IsAddingCompleted()
type BlockingCollectionPre struct{ BlockingCollection }

func NewBlockingCollectionPre() *BlockingCollectionPre {
	c := &BlockingCollectionPre{}
	c.changed.L = &c.mu
	return c
}

func (c *BlockingCollectionPre) Take() (int, error) {
	for {
		if v, ok := c.TryTake(); ok {
			return v, nil
		}
		if c.IsAddingCompleted() {
			return 0, ErrAddingCompleted
		}
		c.mu.Lock()
		c.changed.Wait()
		c.mu.Unlock()
	}
}

func (c *BlockingCollectionPre) CompleteAdding() { go c.BlockingCollection.CompleteAdding() }
