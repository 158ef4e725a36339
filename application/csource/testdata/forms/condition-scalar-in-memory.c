double A[99], err[1];
void f(void) { for (int it = 0; it < 10 && err[0] < 1; it++) { for (int i = 0; i < 40; i++) A[i] += 1; err[0] = 0.5; } }
// warns: may end before its bound
