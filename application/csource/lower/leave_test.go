package lower_test

import "testing"

// TestLoopsLeftOut counts the loops of what is left out: two here, and one of a function that is called.
func TestLoopsLeftOut(t *testing.T) {
	u := reads(t, `double a[100]; int p[100];
static void pack(int i) { for (int j = 0; j < p[i]; j++) a[p[j]] = 1; }
void f(void) {
  for (int i = 0; i < 100; i++) a[i] = 0;
  for (int i = 0; i < 10; i++)
    for (int j = 0; j < p[i]; j++) pack(j);
}
`, "f", 100)
	if left := u.Programs[0].Left; len(left) != 1 || left[0].Loops != 3 {
		t.Errorf("%+v", left)
	}
}
