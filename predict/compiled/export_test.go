package compiled

// Executed is how many instructions the whole program carries out.
func (c *Cycles) Executed() (n float64) {
	for _, of := range c.instructions {
		n += of
	}
	return n
}

// CodeWarnings are those of the code.
func (c *Cycles) CodeWarnings() []string { return c.code.Warnings }

// MarkLoops lets tests see where labels are put.
var MarkLoops = markLoops
