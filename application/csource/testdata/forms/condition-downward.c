double A[99];
void f(void) { double key = 1; for (int i = 1; i < 40; i++) { int j = i - 1; while (j >= 0 && A[j] > -1) { A[j+1] = A[j]; j--; } A[j+1] = key; } }
// warns: may end before its bound
