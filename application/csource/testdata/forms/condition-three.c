double A[99], B[99], C[99];
void f(void) { for (int i = 0; i < 50; i++) for (int j = 0; j < 20 && (A[j] > 1 || B[j] < 1) && C[i] < 1; j++) C[j] = 0; }
// warns: may end before its bound
