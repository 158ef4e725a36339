package codegen_test

import (
	"fmt"

	"foresee/application/codegen"
	"foresee/application/csource"
)

// The forms of the instructions, each behind the number of its block: 1 is the loop. gcc -O2 takes two numbers at once, as 64 is a multiple of two.
func Example() {
	u, err := csource.Load("scale.c", []byte("double x[64], y[64];\nvoid scale(void) { for (int i = 0; i < 64; i++) y[i] = 3 * x[i]; }"), csource.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	code, err := codegen.Make(u.Programs[0], codegen.Plain)
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, x := range code.Instructions {
		fmt.Printf("%d: %s\n", code.Places[i], x.Form())
	}
	// Output:
	// 1: mov r8,r8
	// 1: vmovapd x,x
	// 1: vmulpd x,x,x
	// 1: vmovupd x,x
	// 1: add r8,i
	// 1: cmp r8,r8
	// 1: j l
	// 1: cmp r8,r8
	// 1: j l
	// 1: vmovapd x,x
	// 1: vmulsd x,x,x
	// 1: vmovsd x,x
	// 1: add r8,i
	// 1: cmp r8,r8
	// 1: j l
}
