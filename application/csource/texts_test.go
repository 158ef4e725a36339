package csource

import (
	"fmt"
	"testing"
)

// TestTexts: constant texts are memory, of which those alike are one.
func TestTexts(t *testing.T) {
	const text = `char b[90];
static char digit(const char *of, int k) { return of[k & 15]; }
void f(void) {
	const char *hex = "0123456789abcdef";
	for (int i = 0; i < 40; i++) b[i] = hex[i % 16];
	for (int i = 0; i < 40; i++) b[i] = digit("0123456789abcdef", 3 * i);
	for (int i = 0; i < 10; i++) b[i] = "acgt"[i & 3];
}
`
	u, err := Load("a.c", []byte(text), Options{})
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for i := range 40 {
		want = append(want, fmt.Sprint(`"0123456789abcdef"`, i%16))
	}
	for i := range 40 {
		want = append(want, fmt.Sprint(`"0123456789abcdef"`, 3*i&15))
	}
	for i := range 10 {
		want = append(want, fmt.Sprint(`"acgt"`, i&3))
	}
	var got []string
	for _, a := range run(u.Programs[0]) {
		if !a.write {
			got = append(got, fmt.Sprint(a.object, a.offset))
		}
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("reads %v, want %v", got, want)
	}
	if n := len(u.Programs[0].Objects); n != 3 {
		t.Errorf("%d objects, want b and two texts", n)
	}
}
