package text

import (
	"testing"
)

func TestHarmlessKeepsNumbers(t *testing.T) {
	for cell, want := range map[string]string{
		"": "", "-1": "-1", "-1.5e-7": "-1.5e-7", "+3": "+3", "-Inf": "-Inf", "+Inf": "+Inf", "NaN": "NaN", "plain": "plain", "a=b": "a=b",
		"-1+1": "'-1+1", "=1": "'=1", "-": "'-", "@x": "'@x", "\tx": "'\tx",
	} {
		if got := harmless(cell); got != want {
			t.Errorf("%q gives %q, want %q", cell, got, want)
		}
	}
}
