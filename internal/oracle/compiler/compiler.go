// Package compiler gives the data references of a real program with trees and tables of symbols: gcc's compiler proper, as Valgrind's tool
// lackey sees it.
package compiler

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
	"foresee/internal/workspace"
)

// compiled is what the compiler translates while it is recorded.
const compiled = `
#define TREE(N) struct node##N { struct node##N *left, *right; int key; }; \
	static struct node##N *insert##N(struct node##N *n, int key) { \
		if (!n) { n = calloc(1, sizeof *n); n->key = key; return n; } \
		if (key < n->key) n->left = insert##N(n->left, key); else n->right = insert##N(n->right, key); \
		return n; \
	} \
	int work##N(const char *s) { \
		struct node##N *root = 0; \
		for (size_t i = 0; i < strlen(s); i++) root = insert##N(root, (s[i] * 7919) % 1009); \
		return root ? root->key : N; \
	}
typedef unsigned long size_t; // without headers, which the compiler proper does not find alone
void *calloc(size_t, size_t);
size_t strlen(const char *);
int printf(const char *, ...);
TREE(1) TREE(2) TREE(3) TREE(4) TREE(5) TREE(6) TREE(7) TREE(8) TREE(9) TREE(10) TREE(11) TREE(12)
int main(int argc, char **argv) {
	printf("%d\n", work1(argv[0]) + work2(argv[0]) + work3(argv[argc - 1]));
	return 0;
}
`

// Record gives the first data references that gcc's compiler proper makes, as Valgrind's lackey sees them.
func Record(ctx context.Context, n int) ([]uint64, error) {
	for _, program := range []string{"gcc", "valgrind"} {
		if _, err := exec.LookPath(program); err != nil {
			return nil, fmt.Errorf("%s is missing (apt-get install %s)", program, program)
		}
	}
	work, err := workspace.New("compiler")
	if err != nil {
		return nil, err
	}
	defer work.Remove()
	source := filepath.Join(work.Path, "tree.c")
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
		strings.TrimSpace(string(cc1)), "-quiet", "-O2", source, "-o", filepath.Join(work.Path, "tree.s"))
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
