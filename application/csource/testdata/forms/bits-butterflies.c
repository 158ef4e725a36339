float x[256], y[256]; int g[256];
void f(void) {
	for (int s = 0; s < 8; s++) { int bit = 1 << s; for (int p = 0; p < 128; p++) { int i = ((p & ~(bit - 1)) << 1) | (p & (bit - 1)), j = i | bit; x[i] += 1; x[j] = 2; } }
	for (int p = 0; p < 31; p++) { y[(p >> 3 << 5) | (p & 7)] = 1; y[(4 * p + 64) ^ (p & 3)] = 2; y[(8 * p) | 5] = 1 ; }
	for (int p = 0; p < 64; p++) for (int q = 0; q < 4; q++) g[p << 2 | q] = g[q | p << 2] + 1;
}
