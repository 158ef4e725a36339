package accuracy

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"foresee/application/trace"
)

// compiled is what the compiler translates while it is recorded.
const compiled = `
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct node { struct node *left, *right; int key; };
static struct node *insert(struct node *n, int key) {
	if (!n) { n = calloc(1, sizeof *n); n->key = key; return n; }
	if (key < n->key) n->left = insert(n->left, key); else n->right = insert(n->right, key);
	return n;
}
static int depth(const struct node *n) {
	if (!n) return 0;
	int l = depth(n->left), r = depth(n->right);
	return 1 + (l > r ? l : r);
}
int main(int argc, char **argv) {
	struct node *root = 0;
	for (int i = 0; i < 1000; i++) root = insert(root, (i * 7919) % 1009);
	printf("%d %zu\n", depth(root), argc > 1 ? strlen(argv[1]) : 0);
	return 0;
}
`

// recordCompiler gives the first data references that gcc's compiler proper makes, as Valgrind's lackey sees them.
func recordCompiler(ctx context.Context, n int) ([]uint64, error) {
	for _, program := range []string{"gcc", "valgrind"} {
		if _, err := exec.LookPath(program); err != nil {
			return nil, fmt.Errorf("%s is missing (apt-get install %s)", program, program)
		}
	}
	dir, err := os.MkdirTemp("", "foresee")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	source := filepath.Join(dir, "tree.c")
	if err := os.WriteFile(source, []byte(compiled), 0o666); err != nil {
		return nil, err
	}
	cc1, err := exec.CommandContext(ctx, "gcc", "-print-prog-name=cc1").Output()
	if err != nil {
		return nil, fmt.Errorf("gcc -print-prog-name=cc1: %w", err)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd := exec.CommandContext(ctx, "valgrind", "--tool=lackey", "--trace-mem=yes", "--log-fd=1",
		strings.TrimSpace(string(cc1)), "-quiet", "-O2", source, "-o", filepath.Join(dir, "tree.s"))
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	addresses, err := firstAddresses(out, n)
	cancel() // it has much more to say
	_ = cmd.Wait()
	return addresses, err
}

func firstAddresses(r io.Reader, n int) ([]uint64, error) {
	t, err := trace.Open(r, trace.Options{Format: "lackey", SkipFetches: true})
	if err != nil {
		return nil, err
	}
	defer t.Close()
	addresses := make([]uint64, 0, n)
	events := make([]trace.Event, 8192)
	for len(addresses) < n {
		k, err := t.Read(events)
		for _, e := range events[:min(k, n-len(addresses))] {
			addresses = append(addresses, e.Address)
		}
		switch {
		case errors.Is(err, io.EOF):
			return addresses, nil
		case err != nil:
			return nil, err
		}
	}
	return addresses, nil
}
