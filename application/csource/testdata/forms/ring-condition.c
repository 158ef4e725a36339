double A[65536], B[31];
void f(void) { int k0 = 1; int k1 = 1; int k2 = 5; for (int i0 = 1; i0 < 40; i0++) { if (++k1 >= 8) k1 = 0; A[16384 + k1 + 5] = 1; k0 = 8 - k0; B[((k2) % 31 + 31) % 31] += 1; }  A[16384 + k1] = 2; }
