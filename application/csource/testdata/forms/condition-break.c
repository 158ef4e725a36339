double A[99], B[99];
void f(void) { for (int k = 0; k < 5; k++) for (int i = 0; ; i++) { if (i >= 40 || A[i] < 0) break; B[i] = 1; } }
// warns: may end before its bound
