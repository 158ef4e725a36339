package predict

// AddRun implements recording.Taker.
func (c *channel) AddRun(from, stride []uint64, sizes []uint32, times int) {
	if c.shards != nil {
		c.shards.AddRun(from, stride, sizes, times)
		return
	}
	shift, last, again, lines := c.shift&63, c.last, c.again, c.lines
	stride, sizes = stride[:len(from)], sizes[:len(from)]
	for j := range uint64(times) {
		for i, a := range from {
			a += (j + 1) * stride[i]
			line, end := a>>shift, (a+uint64(sizes[i])-1)>>shift
			if line+1 == last {
				again++
			} else {
				lines = append(lines, line)
				last = line + 1
			}
			for line != end { // it straddles
				line++
				lines = append(lines, line)
				last = line + 1
			}
		}
	}
	c.last, c.again, c.lines = last, again, lines
}
