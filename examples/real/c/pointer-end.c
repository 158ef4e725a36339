/* A loop from one pointer to another. */
#define N 128
float v[N];

static float sum(const float *p, const float *end) {
  float s = 0;
  for (; p != end; ++p)
    s += *p;
  for (p = v; p < v + N; p += 4)
    s -= *p;
  return s;
}

int main(void) {
  volatile float s = sum(v, v + N); /* region */
  return s > 1;
}
