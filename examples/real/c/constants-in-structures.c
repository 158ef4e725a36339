/* Constants in an initialised structure. */
static const struct {
  int rows, columns;
} size = {18, 25};
double g[18][25];

static void ones(void) {
  for (int i = 0; i < size.rows; i++)
    for (int j = 0; j < size.columns; j++)
      g[i][j] = 1;
}

int main(void) {
  ones(); /* region */
  return 0;
}
