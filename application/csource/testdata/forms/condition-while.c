int U[900], I[9];
void f(void) { for (int i = 0; i < 50; i++) { int j = 0; while (j < 8 && U[i+j] == U[i+j+256]) { I[j]++; j++; } } }
// warns: may end before its bound
