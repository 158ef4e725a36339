// gcc's atomic functions read and write what they are given.
int h[8], g[40];
#ifdef MEMBERS
void f(void) {
	for (int i = 0; i < 40; i++) {
		h[i % 8] += 1;
		h[i % 8] += 2;
		h[i % 8] |= 4;
		g[i] = h[0] + i;
	}
}
#else
void f(void) {
	for (int i = 0; i < 40; i++) {
		__atomic_fetch_add(&h[i % 8], 1, __ATOMIC_RELAXED);
		__sync_fetch_and_add(&h[i % 8], 2);
		__sync_or_and_fetch(h + i % 8, 4);
		__atomic_store_n(&g[i], __atomic_load_n(h, __ATOMIC_ACQUIRE) + i, __ATOMIC_RELEASE);
	}
}
#endif
