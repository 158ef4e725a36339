#define L 7
double u[L][1 << L], v[L][1 << L];
static void smooth(double *x, const double *y, int n) { for (int i = 1; i < n - 1; i++) x[i] = (y[i-1] + y[i+1]) / 2; }
void f(void) { for (int c = 0; c < 2; c++) { for (int l = 0; l < L - 1; l++) { int n = 1 << (L - l); smooth(u[l], v[l], n); for (int i = 0; i < n / 2; i++) v[l+1][i] = u[l][2*i]; } for (int l = L - 2; l >= 0; --l) { int n = (1 << L) >> l; for (int i = 0; i < n / 2; i++) { u[l][2*i] += u[l+1][i]; u[l][2*i+1] += u[l+1][i]; } smooth(v[l], u[l], n); } } }
