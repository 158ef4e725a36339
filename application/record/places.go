package record

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"foresee/application/layout"
)

// placed links the program as it is without recording, of the objects that those with recording carry, and gives an object that tells these where their
// code lies in it; empty where none carries one, or that program cannot be linked.
func (b *Builder) placed(ctx context.Context, c *commandLine) string {
	var args []string
	carried := false
	for i, a := range c.arguments {
		if a.stage != linking && a.stage != always {
			continue
		}
		words := a.words
		if plain := filepath.Join(b.work, fmt.Sprintf("%d.plain.o", i)); a.input != "" && layout.Unpack(a.input, plain) {
			words, carried = []string{plain}, true
		}
		args = append(args, words...)
	}
	if !carried {
		return ""
	}
	program := filepath.Join(b.work, "plain")
	if b.runWith(ctx, io.Discard, append(args, "-w", "-o", program)...) != nil {
		return ""
	}
	source, object := filepath.Join(b.work, "bases.s"), filepath.Join(b.work, "bases.o")
	if os.WriteFile(source, layout.Tables(layout.Bases(program)), 0o600) != nil || b.runWith(ctx, io.Discard, append(c.words(always), "-w", "-c", source, "-o", object)...) != nil {
		return ""
	}
	return object
}
