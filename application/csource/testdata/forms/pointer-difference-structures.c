#define N 100
struct s { double x, y; } v[N]; double a[N];
void f(void) { struct s *q = v; while (q != v + N) { a[q - v] += q->y; ++q; } for (struct s *p = &v[N-1]; p >= v; p--) a[(int)(p - v)] = p->x; }
