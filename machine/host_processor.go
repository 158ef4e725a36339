//go:build !js

package machine

import (
	"strings"

	"github.com/klauspost/cpuid/v2"
)

// localProcessor asks the CPUID instruction. Elsewhere than on x86 it says nothing that /proc/cpuinfo does not.
func localProcessor() Processor {
	c := &cpuid.CPU
	if c.VendorString == "" || c.Family == 0 {
		return Processor{}
	}
	return Processor{
		Vendor: c.VendorString, Family: c.Family, Model: c.Model, Brand: strings.TrimSpace(c.BrandName),
		BaseGHz: float64(c.Hz) / 1e9, MaxGHz: float64(c.BoostFreq) / 1e9,
	}
}
