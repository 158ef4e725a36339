package application

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestWhatIsNoSource: what is wrong with an input is said by what it is, not by what a parser of C makes of it.
func TestWhatIsNoSource(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       What
	}{
		{"a.c", "\xff\xfei\x00n\x00t\x00", UTF16},
		{"a.txt", "\xfe\xff\x00i\x00n\x00t", UTF16},
		{"a.c", "i\x00n\x00t\x00", Binary},
		{"a.rec.gz", "\x1f\x8b\x08\x00 whatever", Compressed},
		{"a.c", "\ufeff 12 13\n", Numbers},
		{"a.c", "\ufeff{\"a\": 1}", OtherJSON},
	} {
		path := filepath.Join(t.TempDir(), test.name)
		if err := os.WriteFile(path, []byte(test.text), 0o644); err != nil {
			t.Fatal(err)
		}
		in, err := Find(context.Background(), path, nil, Told{})
		if err != nil {
			t.Fatal(err)
		}
		_, err = in.Open(context.Background(), Options{})
		if e := (*NotSourceError)(nil); !errors.As(err, &e) || e.What != test.want {
			t.Errorf("%q: %v, not that it %s", test.text, err, test.want)
		}
		if strings.Contains(err.Error(), "unpack it and give the C source") {
			t.Error(err)
		}
	}
}
