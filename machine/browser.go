//go:build js

package machine

// localProcessor says nothing: WebAssembly cannot ask the processor what it is.
func localProcessor() Processor { return Processor{} }
