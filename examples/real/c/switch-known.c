/* A switch on what loops count, one arm going on with the next. */
#define N 60
double c[N], s[N], w[N];

static void mix(void) {
  for (int i = 0; i < N; i++)
    switch (i % 4) {
    case 0:
      c[i] = 1;
      break;
    case 1:
      s[i] = 1;
      /* fall through */
    case 2:
      c[i] = s[i];
      break;
    default:
      w[i] = c[i] + s[i];
    }
}

int main(void) {
  mix(); /* region */
  return 0;
}
