package text

import "testing"

func TestBars(t *testing.T) {
	for got, want := range map[string]string{
		bar(0.5, 4): "██", bar(0.0001, 4): "▏", sparkline([]float64{0, 1e-9, 0.5, 1}, 1): " ▁▄█",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
