static double data[1 << 12] = {1};

__attribute__((noinline)) double strided(int stride) {
	double sum = 0;
	for (int i = 0; i < 1 << 12; i += stride)
		sum += data[i] * 0.5;
	return sum;
}

__attribute__((noinline)) void fill(void) {
	for (int i = 0; i < 1 << 12; i++)
		data[i] = i;
}

__attribute__((noinline)) int fibonacci(int n) {
	return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

/* Without a C library, so that the profile holds these functions only. */
void _start(void) {
	fill();
	volatile int result = (int)strided(1) + (int)strided(8) + fibonacci(10);
	(void)result;
	__asm__ volatile("mov $60, %eax; xor %edi, %edi; syscall");
}
