package cpuid

const hasCPUID = true

// ask is the instruction itself.
//
//go:noescape
func ask(number, sub uint32) (eax, ebx, ecx, edx uint32)

func cpuid(number, sub uint32) [4]uint32 {
	eax, ebx, ecx, edx := ask(number, sub)
	return [4]uint32{eax, ebx, ecx, edx}
}
