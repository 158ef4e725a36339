/* The macros that PolyBench-style sources need, written for these tests. */
#ifndef POLYBENCH_H
#define POLYBENCH_H
#include <stdlib.h>
#include <stddef.h>
#define POLYBENCH_DUMP_START fprintf(stderr, "begin")
#define POLYBENCH_C99_SELECT(x, y) y
#ifdef POLYBENCH_USE_SCALAR_LB
#define POLYBENCH_LOOP_BOUND(x, y) x
#else
#define POLYBENCH_LOOP_BOUND(x, y) y
#endif
#define POLYBENCH_2D(var, dim1, dim2, ddim1, ddim2) var[POLYBENCH_C99_SELECT(dim1, ddim1)][POLYBENCH_C99_SELECT(dim2, ddim2)]
#define POLYBENCH_ARRAY(x) *x
#define POLYBENCH_DECL_VAR(x) (*x)
#define POLYBENCH_2D_ARRAY_DECL(var, type, dim1, dim2, ddim1, ddim2) \
  type POLYBENCH_2D(POLYBENCH_DECL_VAR(var), dim1, dim2, ddim1, ddim2); \
  var = (type(*)[dim1][dim2])polybench_alloc_data((dim1) * (dim2), sizeof(type));
#define POLYBENCH_FREE_ARRAY(x) free((void *)x);
#define polybench_start_instruments polybench_timer_start();
#define polybench_stop_instruments polybench_timer_stop();
extern void *polybench_alloc_data(unsigned long long int n, int elt_size);
extern void polybench_timer_start(void);
extern void polybench_timer_stop(void);
#endif
