package machine

import (
	"fmt"
	"io/fs"
	"regexp"
	"strconv"
	"strings"
)

// or fills what p does not know from q.
func (p Processor) or(q Processor) Processor {
	if p.Vendor == "" {
		p.Vendor, p.Family, p.Model = q.Vendor, q.Family, q.Model
	}
	if p.Brand == "" {
		p.Brand = q.Brand
	}
	return p
}

// vendorName is what people call a vendor.
func vendorName(vendor string) string {
	switch vendor {
	case "GenuineIntel":
		return "Intel"
	case "AuthenticAMD":
		return "AMD"
	case "ARM":
		return "Arm"
	}
	return vendor
}

// cpuInfo is what /proc/cpuinfo says about the first processor.
type cpuInfo struct {
	processor Processor
	mhz       float64 // the clock at the time of reading
}

// readCPUInfo reads /proc/cpuinfo of the first CPU.
func readCPUInfo(root fs.FS) cpuInfo {
	data, err := readBounded(root, "proc/cpuinfo", longestCPUInfo)
	if err != nil {
		return cpuInfo{}
	}
	fields := firstFields(string(data))
	number := func(key string) int {
		n, _ := strconv.ParseInt(fields[key], 0, 32)
		return int(n)
	}
	info := cpuInfo{processor: Processor{Vendor: fields["vendor_id"], Family: number("cpu family"), Model: number("model")}}
	info.processor.Brand = fields["model name"]
	if fields["CPU implementer"] != "" {
		info.processor.Vendor, info.processor.Family, info.processor.Model = "ARM", number("CPU implementer"), number("CPU part")
	}
	info.mhz, _ = strconv.ParseFloat(fields["cpu MHz"], 64)
	return info
}

// listedCPUs are the processors of /proc/cpuinfo, in sockets and cores where it tells these, as it does on x86.
func listedCPUs(root fs.FS) (out []cpu) {
	data, err := readBounded(root, "proc/cpuinfo", longestCPUInfo)
	if err != nil {
		return nil
	}
	threads := map[string]int{}
	for _, block := range strings.Split(string(data), "\n\n") {
		fields := firstFields(block)
		number, err := strconv.Atoi(fields["processor"])
		if err != nil || number < 0 {
			continue
		}
		c := cpu{number: number, core: strconv.Itoa(number), socket: fields["physical id"]}
		if fields["core id"] != "" {
			c.core = fields["core id"]
		}
		threads[c.socket+" "+c.core]++
		out = append(out, c)
	}
	for i, c := range out {
		out[i].threads = threads[c.socket+" "+c.core]
	}
	return out
}

// firstFields are the lines "key : value" of a text, each key where it comes first.
func firstFields(text string) map[string]string {
	fields := map[string]string{}
	for line := range strings.SplitSeq(text, "\n") {
		key, value, _ := strings.Cut(line, ":")
		key = strings.TrimSpace(key)
		if _, seen := fields[key]; !seen {
			fields[key] = strings.TrimSpace(value)
		}
	}
	return fields
}

var brandGHz = regexp.MustCompile(`@ ?([0-9.]+) ?GHz`)

// setFrequency takes the base frequency from the best source there is, and the highest where the kernel knows it.
func (m *Machine) setFrequency(root fs.FS, p Processor, info cpuInfo) {
	m.FrequencyGHz = baseFrequency(root, p, info)
	if info.mhz > 0 && m.FrequencyGHz != nil && strings.HasPrefix(m.FrequencyGHz.Source, "/proc") {
		m.note("frequency_ghz is the clock when it was read; the processor may run at another")
	}
	if p.MaxGHz > 0 {
		m.MaxFrequencyGHz = known(p.MaxGHz, "cpuid")
	} else {
		m.MaxFrequencyGHz = kernelGHz(root, "cpuinfo_max_freq")
	}
	if m.MaxFrequencyGHz.Or(20) < m.FrequencyGHz.Or(0) {
		m.MaxFrequencyGHz = nil
	}
}

// baseFrequency is the clock that the processor keeps under load, by the first of its sources that knows.
func baseFrequency(root fs.FS, p Processor, info cpuInfo) *Value[float64] {
	if v := kernelGHz(root, "base_frequency"); v != nil {
		return v
	}
	if p.BaseGHz > 0 {
		return known(p.BaseGHz, "cpuid")
	}
	if match := brandGHz.FindStringSubmatch(p.Brand); match != nil {
		if ghz, err := strconv.ParseFloat(match[1], 64); err == nil && ghz > 0 {
			return known(ghz, fmt.Sprintf("cpuid: brand string %q", p.Brand))
		}
	}
	if info.mhz > 0 {
		return known(info.mhz/1000, "/proc/cpuinfo: cpu MHz")
	}
	if v := kernelGHz(root, "cpuinfo_max_freq"); v != nil { // on Arm there is no other
		return known(v.Value, v.Source+" (no base frequency is told)")
	}
	return nil
}

// kernelGHz is a clock that the kernel tells in kHz, in GHz; nil where it does not.
func kernelGHz(root fs.FS, file string) *Value[float64] {
	path := cpuRoot + "/cpu0/cpufreq/" + file
	kHz, err := readNumber(root, path)
	if err != nil || kHz <= 0 {
		return nil
	}
	return known(float64(kHz)/1e6, "/"+path)
}
