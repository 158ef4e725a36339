#include <stdio.h>
#include <stdlib.h>

/* A small kernel with a hot loop, a recursion and a strided walk. */
static double data[1 << 16];

__attribute__((noinline)) double strided(int stride) {
	double sum = 0;
	for (int i = 0; i < 1 << 16; i += stride)
		sum += data[i] * 0.5;
	return sum;
}

__attribute__((noinline)) int fibonacci(int n) {
	return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

__attribute__((noinline)) void fill(void) {
	for (int i = 0; i < 1 << 16; i++)
		data[i] = i;
}

int main(int argc, char **argv) {
	int times = argc > 1 ? atoi(argv[1]) : 1;
	double sum = 0;
	fill();
	for (int t = 0; t < times; t++)
		sum += strided(1 + t % 8);
	printf("%g %d\n", sum, fibonacci(20));
	return 0;
}
