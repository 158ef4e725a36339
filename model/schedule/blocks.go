package schedule

// Blocks are iterations dealt in one block to each thread: static without a chunk.
type Blocks struct {
	each int64 // iterations of a block, and
	more int64 // how many blocks, from the first on, have one more
}

// NewBlocks deals n iterations.
func NewBlocks(n, threads int64) Blocks {
	each := n / threads
	return Blocks{each, n - each*threads}
}

// Long is how many blocks, from the first on, have one iteration more than the others.
func (b Blocks) Long() int64 { return b.more }

// Start is the first iteration of a thread's block; that of thread T is n. It grows with the thread and with n.
func (b Blocks) Start(thread int64) int64 { return thread*b.each + min(thread, b.more) }

// Owner is the thread whose block an iteration is in.
func (b Blocks) Owner(iteration int64) int64 {
	if long := b.more * (b.each + 1); iteration >= long {
		return b.more + (iteration-long)/max(b.each, 1)
	}
	return iteration / (b.each + 1)
}
