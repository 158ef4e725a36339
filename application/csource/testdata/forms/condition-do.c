double A[99], B[99];
void f(void) { for (int k = 0; k < 5; k++) { int i = 0; do { B[i] = 1; i++; } while (i < 40 && A[i] != -1 && B[i] < 3); } }
// warns: may end before its bound
