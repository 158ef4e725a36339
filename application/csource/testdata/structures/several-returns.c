#define N 90
struct pair { double a; int k; } ps[N], qs[N];
static struct pair pick(int i) {
	if (i < 10) return ps[i];
	struct pair z = { 0, i };
	if (i % 2) return z;
	return (struct pair){ ps[i].a, 2 };
}
#ifndef MEMBERS
static struct pair part(int i) { return (struct pair){ .k = i }; }
void f(void) {
	for (int i = 0; i < N; i++) qs[i] = pick(i);
	for (int i = 0; i < N; i++) ps[i] = part(i);
}
#else
void f(void) {
	for (int i = 0; i < N; i++) {
		double a; int k;
		if (i < 10) a = ps[i].a, k = ps[i].k;
		else if (i % 2) a = 0, k = i;
		else a = ps[i].a, k = 2;
		qs[i].a = a, qs[i].k = k;
	}
	for (int i = 0; i < N; i++) ps[i].a = 0, ps[i].k = i;
}
#endif
