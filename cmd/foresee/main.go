// Command foresee tells how a parallel C program will perform on a machine, before it is run there, and why.
//
// It holds no model: flags and files go in, reports come out.
package main

import "os"

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
