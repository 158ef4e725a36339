package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The table takes the place of the former one, and the rest of the document stays as it was.
func TestTableGoesIntoTheDocument(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	document := filepath.Join(t.TempDir(), "accuracy.md")
	if err := os.WriteFile(document, []byte("# Accuracy\n\n<!-- go run ./tools/tune -left-out -->\nformer\n<!-- end of -left-out -->\n\nmore\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, said strings.Builder
	if err := run(context.Background(), []string{"-steps", "1", "-left-out", "-o", document}, &out, &said); err != nil || out.Len() > 0 {
		t.Fatalf("%v, printed %q", err, out.String())
	}
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	if s := string(text); !strings.HasPrefix(s, "# Accuracy\n") || !strings.HasSuffix(s, "\nmore\n") || strings.Contains(s, "former") || strings.Count(s, "<!-- go run ./tools/tune -left-out -->") != 1 || strings.Count(s, "\n| mpi_coll | ") != 1 {
		t.Errorf("%s", s)
	}
}

func TestArgumentsThatDoNotGoTogether(t *testing.T) {
	for _, args := range [][]string{{"-o", "x"}, {"-steps", "0"}, {"more"}, {"-data", filepath.Join(t.TempDir(), "none")}} {
		if err := run(context.Background(), args, new(strings.Builder), new(strings.Builder)); err == nil || errors.Is(err, context.Canceled) {
			t.Errorf("%q: %v", args, err)
		}
	}
}
