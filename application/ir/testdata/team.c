// Worksharing as clang hands it to its OpenMP runtime: compiled by clang -O1 -fopenmp -g1 -S -emit-llvm into team-14.ll.
double a[120], b[120];

void deal(void) {
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (int i = 0; i < 120; i++)
      a[i] = 1;
#pragma omp for schedule(static, 4) nowait
    for (int i = 2; i < 100; i += 2)
      b[i] = a[i];
#pragma omp barrier
#pragma omp for schedule(dynamic, 3)
    for (int i = 0; i < 40; i++)
      a[3 * i] = b[i];
#pragma omp single
    a[0] = 2;
#pragma omp critical
    b[1] = 3;
  }
}

void triangle(int n) {
#pragma omp parallel for schedule(guided)
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      a[j] = b[i];
}
