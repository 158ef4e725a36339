/* Steps within subscripts. */
#define N 77
int key[N], copy[N];

static void reverse(int n) {
  int j = n;
  for (int i = 0; i < n;)
    copy[--j] = key[i++];
}

int main(void) {
  reverse(N); /* region */
  return 0;
}
