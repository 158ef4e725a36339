package xmodel

import (
	"fmt"
	"slices"
	"strings"
)

// Scale turns the model's units into others.
type Scale struct {
	GHz          float64 `json:"ghz,omitempty" yaml:"ghz,omitempty"`                     // cycles a nanosecond
	RequestBytes float64 `json:"request_bytes,omitempty" yaml:"request_bytes,omitempty"` // of a request
	OpFlops      float64 `json:"op_flops,omitempty" yaml:"op_flops,omitempty"`           // floating-point operations in an operation
	Parts        float64 `json:"parts,omitempty" yaml:"parts,omitempty"`                 // such systems in the whole: SMs of a GPU; 0: one
}

func (s Scale) parts() float64 {
	if s.Parts > 0 {
		return s.Parts
	}
	return 1
}

// GBs is a supply in GB/s of the whole; 0 where the scale is not known.
func (s Scale) GBs(requests float64) float64 { return requests * s.RequestBytes * s.GHz * s.parts() }

// GFlops is a computing throughput in GFLOP/s of the whole; 0 where the scale is not known.
func (s Scale) GFlops(operations float64) float64 { return operations * s.OpFlops * s.GHz * s.parts() }

// Machine is what the model knows of a machine: M, R, L and the most threads.
type Machine struct {
	Name, Title, Source string
	Most                float64 // threads
	Params              Params  // with Z, E and n of 1
	Scale               Scale
}

const warp = 32 // threads that an NVIDIA GPU runs as one, on all compute capabilities

// gpu is a machine of table II: per SM, a thread being a warp, a request what a warp loads together and an operation what it computes
// together. The table gives the transition point δ in warps and the bandwidth there, so R = bandwidth/(SMs · bytes · clock) and L = δ/R.
func gpu(name, title string, sms, lanes, ghz, warps, delta, gbs float64, bytes int) Machine {
	request := float64(bytes * warp)
	r := gbs / (sms * request * ghz)
	return Machine{
		Name: name, Title: title, Most: warps,
		Source: fmt.Sprintf("Li et al., table II: %g SMs, %.4g GHz, at most %g warps, saturated by %g warps at %g GB/s; lanes of the type from the vendor's description of the chip", sms, ghz, warps, delta, gbs),
		Params: Params{N: warps, Z: 1, E: 1, M: lanes / warp, R: r, L: delta / r},
		Scale:  Scale{GHz: ghz, RequestBytes: request, OpFlops: warp, Parts: sms},
	}
}

// Machines are the GPUs of table II, in single and double precision. Lanes of double precision are an eighth of those of single
// precision on the GTX 570, a third on the K40, and a thirty-second on the GTX 750 Ti.
func Machines() []Machine {
	return []Machine{
		gpu("gtx570-sp", "GTX 570 (Fermi), single precision, one SM of 15", 15, 32, 1.464, 48, 48, 147, 4),
		gpu("gtx570-dp", "GTX 570 (Fermi), double precision, one SM of 15", 15, 4, 1.464, 48, 24, 152, 8),
		gpu("k40-sp", "Tesla K40 (Kepler), single precision, one SM of 15", 15, 192, 0.876, 64, 64, 180, 4),
		gpu("k40-dp", "Tesla K40 (Kepler), double precision, one SM of 15", 15, 64, 0.876, 64, 48, 200, 8),
		gpu("gtx750ti-sp", "GTX 750 Ti (Maxwell), single precision, one SM of 5", 5, 128, 1.137, 64, 56, 82, 4),
		gpu("gtx750ti-dp", "GTX 750 Ti (Maxwell), double precision, one SM of 5", 5, 4, 1.137, 64, 28, 83, 8),
	}
}

// MachineNames lists them.
func MachineNames() (names []string) {
	for _, m := range Machines() {
		names = append(names, m.Name)
	}
	return names
}

// FindMachine gives one by its name.
func FindMachine(name string) (Machine, bool) {
	all := Machines()
	i := slices.IndexFunc(all, func(m Machine) bool { return m.Name == strings.ToLower(name) })
	if i < 0 {
		return Machine{}, false
	}
	return all[i], true
}
