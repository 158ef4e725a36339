package nesttest

import (
	"testing"

	"foresee/application/csource"
)

const source = `double a[8], b[8];
void f(void) {
#pragma omp parallel
  {
#pragma omp for schedule(static, 2) nowait
    for (int i = 0; i < 8; i++)
      if (i < 3)
        a[i] = b[i];
      else
        a[0] = 1;
#pragma omp barrier
#pragma omp single
    a[1] = 2;
#pragma omp critical
    b[2] = a[2];
  }
}
`

func TestAccesses(t *testing.T) {
	u, err := csource.Load("f.c", []byte(source), csource.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := `f
 parallel
  for i = 0..7 static,chunk 2 nowait
   if (i < 3)
    r b[i]
    w a[i]
   else
    w a[0]
  barrier
  single
   w a[1]
  critical
   r a[2]
   w b[2]
`
	if got := Accesses(u.Programs[0]); got != want {
		t.Errorf("%s", got)
	}
}
