// Loop headers: up, down, steps, linear forms, conjunctions, unsigned counters.
#include <stddef.h>
#define N 20
enum { HALF = N / 2, STEP = 3 };
static const int LAST = N - 1;
int size = 12;
double A[N], B[N + 4];
void forms(void)
{
	int i, j;
	long q;
	for (i = N - 1; i >= 0; i--) A[i] = 0;
	for (i = 0; i < N; i += STEP) A[i] = 1;
	for (i = LAST; i > 2; i -= 2) A[i] = 2;
	for (i = 0; i * 2 < N; ++i) A[i] = 3;
	for (i = 0; 3 * i + 1 <= N; i = i + 1) A[i] = 4;
	for (i = 0; N > i; i = 2 + i) A[i] = 5;
	for (i = 0; i != HALF; i++) A[i] = 6;
	for (i = 0; i < N && i < size; i++) A[i] = 7;
	for (size_t u = 0; u < sizeof(A) / sizeof(A[0]); u++) A[u] = 8;
	for (unsigned k = N; k-- > 0;) A[k] = 9;
	for (i = 0, j = 5; i < 3; i++) A[j] = 10;
	for (q = 1; q <= size / 2; q++) A[q] = 11;
	for (i = 2; i < N; i++) {
		int jb = i * 2;
		if (jb < N) A[jb] = 12;
		for (j = i; j < N && j < i + 4; j++) A[j] += B[j - i];
	}
	i = 3;
	for (; i < 6; i++) A[i] = 13;
	for (i = N - 4; i - 2 > 1 && 1; i--) A[N - i] = 14;
	for (i = N; i; i--) A[i - 1] = 15;
	for (int a = 0; a < 4; a++)
		for (int b = a; b < N - a; b++)
			A[b >> 1] = B[(a << 1) + (b & 3)] + B[b % 4] + B[b / 2];
	for (i = 0; -i > -4; i++) A[i] = 16;
}
