package assembly

import "fmt"

var integerNames = [...]string{"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15"}

// String is the name of the whole register.
func (r Register) String() string {
	switch {
	case r.Integer():
		return integerNames[r-RAX]
	case r.Vector():
		return fmt.Sprint("v", int(r-V0))
	case r.IsMask():
		return fmt.Sprint("k", int(r-K0))
	case r == Flags:
		return "flags"
	case r == RIP:
		return "rip"
	}
	return "none"
}
