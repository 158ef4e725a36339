package remedy

import "testing"

func TestCommandLine(t *testing.T) {
	got := CommandLine([]string{"predict", "-DN=64", "-D", "A=a b", "it's.c", ""})
	if want := `foresee predict -DN=64 -D 'A=a b' 'it'\''s.c' ''`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
