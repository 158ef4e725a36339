/* Neighbours beyond an edge are the edge itself: chosen by conditions, min and max, in reads and in writes. */
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
double a[9][11], b[9][11], h[20];
static void region(int ny, int nx) {
  for (int y = 0; y < ny; y++)
    for (int x = 0; x < nx; x++) {
      int w = (x == 0) ? x : x - 1;
      int e = (x == nx - 1) ? x : x + 1;
      b[y][x] = a[y][w] + a[y][e] + a[MAX(y - 1, 0)][x] + a[MIN(y + 1, ny - 1)][x];
    }
  for (int i = -3; i < 16; i++)
    h[i < 0 ? 0 : MIN(i, 9)] += 1;
  for (int i = 0; i < 12; i++) {
    int left = i - 2;
    if (left < 0)
      left = 0;
    h[left] = h[i] + 1;
  }
}
int main(void) {
  region(9, 11); /* region */
  return 0;
}
