//go:build !amd64

package cpuid

const hasCPUID = false

func cpuid(uint32, uint32) [4]uint32 { return [4]uint32{} }
