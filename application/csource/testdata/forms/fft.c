#define N 256
double re[N], im[N], wr[N], wi[N];
void f(void) { for (int len = 2; len <= N; len *= 2) { int half = len / 2, st = N / len; for (int i = 0; i < N; i += len) for (int k = 0; k < half; k++) { double ur = re[i+k], ui = im[i+k], tr = re[i+k+half]*wr[k*st] - im[i+k+half]*wi[k*st]; re[i+k] = ur + tr; im[i+k] = ui; re[i+k+half] = ur - tr; } } }
