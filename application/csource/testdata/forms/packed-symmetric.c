#define N 80
#define IDX(i,j) ((i) >= (j) ? (i)*((i)+1)/2+(j) : (j)*((j)+1)/2+(i))
double a[N*(N+1)/2], s[N];
void f(void) { for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) s[i] += a[IDX(i,j)]; }
