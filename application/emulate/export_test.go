package emulate

// Executed is how many instructions were carried out.
func (p *Program) Executed() int64 { return p.done }

// Write puts bytes into the program's memory.
func (p *Program) Write(address uint64, b []byte) {
	for i, c := range b {
		p.memory.store(address+uint64(i), 1, uint64(c))
	}
}

// Read gives bytes of the program's memory.
func (p *Program) Read(address uint64, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(p.memory.load(address+uint64(i), 1))
	}
	return b
}
