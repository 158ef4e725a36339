package machine

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestParseSize(t *testing.T) {
	good := map[string]int64{
		"0": 0, "32768": 32768, "512 B": 512, "32KiB": 32768, "256 KiB": 262144, "20MiB": 20 << 20, " 1.5MiB ": 3 << 19,
		"1.375 MiB": 1441792, "32 kB": 32000, "32kB": 32000, "1 MB": 1e6, "2GB": 2e9, "1GiB": 1 << 30, "4TiB": 4 << 40,
		"0.5KiB": 512, "9223372036854775807": math.MaxInt64, "8388607TiB": 8388607 << 40,
	}
	for in, want := range good {
		if got, err := ParseSize(in); err != nil || got != want {
			t.Errorf("ParseSize(%q) = %d, %v; want %d", in, got, err, want)
		}
	}
	bad := map[string]string{
		"":                     `size "" is not a number of bytes; write it like 32KiB, 1.5MiB or 32768`,
		"-1":                   `size "-1" is not a number of bytes; write it like 32KiB, 1.5MiB or 32768`,
		"KiB":                  `size "KiB" is not a number of bytes; write it like 32KiB, 1.5MiB or 32768`,
		"1..5MiB":              `size "1..5MiB" is not a number of bytes; write it like 32KiB, 1.5MiB or 32768`,
		"1.":                   `size "1." is not a number of bytes; write it like 32KiB, 1.5MiB or 32768`,
		"32K":                  `size "32K": unit "K" is not clear; write KiB (of 1024) or kB (of 1000)`,
		"32KB":                 `size "32KB": unit "KB" is not clear; write KiB (of 1024) or kB (of 1000)`,
		"2m":                   `size "2m": unit "m" is not clear; write MiB (of 1024) or MB (of 1000)`,
		"3 lines":              `size "3 lines": unknown unit "lines"; write KiB, MiB, GiB, kB, MB, GB or plain bytes`,
		"1e3":                  `size "1e3": unknown unit "e3"; write KiB, MiB, GiB, kB, MB, GB or plain bytes`,
		"0.3 B":                `size "0.3 B" is not a whole number of bytes`,
		"1.0001KiB":            `size "1.0001KiB" is not a whole number of bytes`,
		"9223372036854775808":  `size "9223372036854775808" is more than 9223372036854775807 bytes`,
		"8388608TiB":           `size "8388608TiB" is more than 9223372036854775807 bytes`,
		"99999999999999999GiB": `size "99999999999999999GiB" is more than 9223372036854775807 bytes`,
	}
	for in, want := range bad {
		if got, err := ParseSize(in); err == nil || err.Error() != want {
			t.Errorf("ParseSize(%q) = %d, %v; want error %s", in, got, err, want)
		}
	}
}

func TestFormatSize(t *testing.T) {
	for in, want := range map[int64]string{
		0: "0 B", 512: "512 B", 1023: "1023 B", 1024: "1 KiB", 32768: "32 KiB", 1441792: "1.375 MiB", 60 << 20: "60 MiB",
		1 << 30: "1 GiB", 1 << 45: "32768 GiB", 1<<20 - 1: "1023.999 KiB", -2048: "-2 KiB",
	} {
		if got := FormatSize(in); got != want {
			t.Errorf("FormatSize(%d) = %q, want %q", in, got, want)
		}
	}
}

// What is written with whole units reads back as it was, and anything reads back within the three decimals shown.
func TestSizeRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		whole := rapid.Int64Range(0, 1<<20).Draw(t, "KiB") << 10
		if got, err := ParseSize(FormatSize(whole)); whole%(1<<20) == 0 && (err != nil || got != whole) {
			t.Fatalf("%d → %s → %d, %v", whole, FormatSize(whole), got, err)
		}
	})
}
