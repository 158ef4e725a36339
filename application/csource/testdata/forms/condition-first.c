double A[99], B[99];
void f(void) { for (int i = 0; i < 50; i++) for (int j = 0; B[i+j] >= 0 && j < 20; j++) A[j] += 1; }
// warns: may end before its bound
