double A[99];
void f(void) { for (int k = 0; k < 5; k++) { int i = 0; while (i < 40 && A[i] != -1) i++; } }
// warns: may end before its bound
