// A compound assignment finds its place once, and so reads a pointer that lies in memory once.
double a[4][10];
double *u[4];
#ifdef MEMBERS
void f(void) {
	for (int i = 0; i < 4; i++)
		u[i] = a[i];
	for (int i = 0; i < 4; i++)
		for (int j = 0; j < 10; j++) {
			double *r = u[i];
			r[j] += 1;
		}
	for (int i = 0; i < 4; i++)
		for (int j = 0; j < 10; j++) {
			double *r = u[i];
			r[j]++;
		}
}
#else
void f(void) {
	for (int i = 0; i < 4; i++)
		u[i] = a[i];
	for (int i = 0; i < 4; i++)
		for (int j = 0; j < 10; j++)
			u[i][j] += 1;
	for (int i = 0; i < 4; i++)
		for (int j = 0; j < 10; j++)
			u[i][j]++;
}
#endif
