// Types, conversions, and every kind of operation.
#include <math.h>
#include <stdint.h>
#define N 4
float F[N]; double D[N]; int I[N]; long L[N]; short S[N]; unsigned char U[N]; int64_t Q[N];
void kinds(float f, double d)
{
	for (int i = 0; i < N; i++) {
		D[i] = F[i] * D[i] + f;
		F[i] = F[i] * 2.0f + 1;
		F[i] = F[i] * 2.0;
		I[i] = I[i] / 3 + I[i] % 5 - (I[i] << 2);
		L[i] = I[i] + L[i];
		S[i] += U[i];
		D[i] = fma(D[i], d, 1.0) + sqrt(2.0) + exp(D[i]) + pow(d, 2.0);
		F[i] = sqrtf(fabsf(F[i])) + expf(F[i]);
		D[i] = floor(D[i]) + fmax(D[i], d) + (int)D[i] + (double)i;
		I[i] = ~I[i] & 7 | !I[i];
		Q[i] = D[i] > 0 && I[i] < 3;
		D[i] = (i + 2 * i) % 3 / 11.0;
		D[i] /= N;
		I[i] -= i;
		d = d + D[i];
		D[i] = d = 3;
	}
}
