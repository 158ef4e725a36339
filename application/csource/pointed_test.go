package csource

import (
	"strings"
	"testing"
)

// TestPointedIntegers takes integers behind pointers as main has set them where it first calls the function, unless the function may change them. By hand: 16·32·64
// elements are read and written.
func TestPointedIntegers(t *testing.T) {
	const before = `#include <stdio.h>
static int dims[3][3];
double x[16][32][64];
void set(int *); void show(int);
static void setup(void) { for (int i = 0; i < 3; i++) { dims[i][0] = 64; dims[i][1] = 32; dims[i][2] = 16; } }
static void sweep(int d[3]) {
	int own[3], k = 0;
	for (int i = 0; i < 3; i++) own[i] = d[i];
`
	const after = `
	for (int k = 0; k < d[2]; k++) for (int j = 0; j < d[1]; j++) for (int i = 0; i < d[0]; i++) { x[k][j][i] *= own[0]; STEP }
}
static void both(void) { sweep(dims[1]); sweep(dims[1]); }
int main(void) { setup(); both(); return 0; }
`
	for step, known := range map[string]bool{
		"": true, "own[1] = i;": true, `printf("%d", d[0]);`: true, "show(d[0]);": true,
		"d[1] = 3;": false, "dims[0][0]++;": false, "set(d);": false, "set(&d[1]);": false, `scanf("%d", dims[0]);`: false,
	} {
		u, err := Load("a.c", []byte(before+strings.Replace(after, "STEP", step, 1)), Options{Regions: []string{"sweep"}})
		if !known {
			if err == nil || !strings.Contains(err.Error(), "depends on data") {
				t.Errorf("%q: %v", step, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%q: %v", step, err)
			continue
		}
		n := 0
		for _, a := range run(u.Programs[0]) {
			if a.object == "x" {
				n++
			}
		}
		if n != 2*16*32*64 {
			t.Errorf("%q: %d accesses of x", step, n)
		}
	}
}
