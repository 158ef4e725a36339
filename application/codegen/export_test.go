package codegen

import (
	"fmt"
	"strings"
)

// Text is the forms of the code's instructions, a line each, behind the number of the block.
func (c *Code) Text() string { return strings.Join(lines(c), "\n") + "\n" }

// lines are the code's instructions as text, each with its block.
func lines(c *Code) []string {
	var out []string
	for i, x := range c.Instructions {
		form := x.Form()
		if c.Calls[i] != "" {
			form = "call " + c.Calls[i]
		}
		out = append(out, fmt.Sprintf("%d: %s", c.Places[i], form))
	}
	return out
}
