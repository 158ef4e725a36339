package machine

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// Size is a number of bytes that YAML shows as "32 KiB".
type Size int64

// units by their names. K, KB, M … are refused: they mean 1000 to some and 1024 to others.
var units = map[string]int64{
	"": 1, "B": 1,
	"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40,
	"kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12,
}

// ParseSize reads a number of bytes: "32KiB", "1.5 MiB", "32 kB" (1000 bytes each), or plain bytes.
func ParseSize(s string) (int64, error) {
	text := strings.TrimSpace(s)
	end := strings.IndexFunc(text, func(r rune) bool { return (r < '0' || r > '9') && r != '.' })
	if end < 0 {
		end = len(text)
	}
	number, unit := text[:end], strings.TrimSpace(text[end:])
	scale, ok := units[unit]
	if !ok {
		return 0, unitError(s, number, unit)
	}
	value, ok := parseDecimal(number)
	if !ok {
		return 0, fmt.Errorf("size %q is not a number of bytes; write it like 32KiB, 1.5MiB or 32768", s)
	}
	value.Mul(value, new(big.Rat).SetInt64(scale))
	if !value.IsInt() {
		return 0, fmt.Errorf("size %q is not a whole number of bytes", s)
	}
	if !value.Num().IsInt64() {
		return 0, fmt.Errorf("size %q is more than %d bytes", s, int64(math.MaxInt64))
	}
	return value.Num().Int64(), nil
}

// unitError says what is wrong with the unit of a size.
func unitError(s, number, unit string) error {
	if number == "" || strings.HasPrefix(unit, "-") {
		return fmt.Errorf("size %q is not a number of bytes; write it like 32KiB, 1.5MiB or 32768", s)
	}
	switch c := unit[0]; c {
	case 'k', 'K', 'm', 'M', 'g', 'G', 't', 'T':
		upper := strings.ToUpper(string(c))
		decimal := upper
		if upper == "K" {
			decimal = "k"
		}
		return fmt.Errorf("size %q: unit %q is not clear; write %siB (of 1024) or %sB (of 1000)", s, unit, upper, decimal)
	}
	return fmt.Errorf("size %q: unknown unit %q; write KiB, MiB, GiB, kB, MB, GB or plain bytes", s, unit)
}

// parseDecimal reads digits with at most one point; short, so that big numbers stay cheap.
func parseDecimal(s string) (*big.Rat, bool) {
	if s == "" || len(s) > 40 || strings.Count(s, ".") > 1 || strings.HasPrefix(s, ".") || strings.HasSuffix(s, ".") {
		return nil, false
	}
	return new(big.Rat).SetString(s)
}

// FormatSize prints bytes as B, KiB, MiB or GiB with up to three decimals: "32 KiB", "1.375 MiB", "500 B".
func FormatSize(bytes int64) string {
	for _, u := range []struct {
		name  string
		scale float64
	}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}} {
		if math.Abs(float64(bytes)) >= u.scale {
			rounded := math.Round(float64(bytes)/u.scale*1000) / 1000
			return strconv.FormatFloat(rounded, 'f', -1, 64) + " " + u.name
		}
	}
	return strconv.FormatInt(bytes, 10) + " B"
}

// String prints the size for people.
func (s Size) String() string { return FormatSize(int64(s)) }

// MarshalYAML writes the size for people where that is exact, else in bytes.
func (s Size) MarshalYAML() (any, error) {
	text := FormatSize(int64(s))
	if back, err := ParseSize(text); err != nil || back != int64(s) {
		return int64(s), nil
	}
	return text, nil
}
