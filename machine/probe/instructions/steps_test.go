package instructions

import (
	"os/exec"
	"runtime"
	"testing"
)

// TestSteps counts functions whose instructions are written here, and some of the C library within what callgrind counts of it.
func TestSteps(t *testing.T) {
	gcc, err := exec.LookPath("gcc")
	if err != nil || runtime.GOARCH != "amd64" {
		t.Skip("needs gcc on x86-64")
	}
	definitions := `
__attribute__((naked)) double three(double x) { __asm__ volatile("addsd %xmm0, %xmm0\n addsd %xmm0, %xmm0\n ret"); }
__attribute__((naked)) float threef(float x) { __asm__ volatile("mov $10, %eax\n 1: dec %eax\n jnz 1b\n ret"); }
__attribute__((naked)) double both(double x, double y) { __asm__ volatile("call 1f\n 1: pop %rax\n addsd %xmm1, %xmm0\n ret"); }
__attribute__((naked)) float bothf(float x, float y) { __asm__ volatile("ret"); }
`
	unit := [][2]float64{{0, 1}}
	counts, err := countSteps(t.Context(), []string{gcc}, t.TempDir(), definitions,
		[]mathFunction{{"three", unit}, {"both", append(unit, unit...)}, {"exp", unit}, {"fabs", unit}})
	if err != nil {
		t.Fatal(err)
	}
	if len(counts) == 0 {
		t.Skip("no program may follow another here")
	}
	for name, want := range map[string]float64{"three": 3, "threef": 22, "both": 4, "bothf": 1} {
		if counts[name] != want {
			t.Errorf("%s: %v instructions, want %v", name, counts[name], want)
		}
	}
	if n := counts["exp"]; n < 30 || n > 150 {
		t.Errorf("exp: %v instructions", n)
	}
	if n := counts["fabs"]; n < 2 || n > 10 {
		t.Errorf("fabs: %v instructions", n)
	}
}
