package longtest

import "testing"

func TestSkip(t *testing.T) {
	for value, skipped := range map[string]bool{"": true, "1": false} {
		t.Setenv(Variable, value)
		if Asked() == skipped {
			t.Errorf("%q asks: %t", value, Asked())
		}
		ran := false
		t.Run("long", func(t *testing.T) {
			Skip(t, "of a second compiler")
			ran = true
		})
		if ran == skipped {
			t.Errorf("%q: run: %t", value, ran)
		}
	}
}
