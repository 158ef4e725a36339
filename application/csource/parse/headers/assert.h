#ifndef FORESEE_ASSERT_H
#define FORESEE_ASSERT_H
#ifdef NDEBUG
#define assert(x) ((void)0)
#else
void abort(void);
#define assert(x) ({ if (!(x)) abort(); })
#endif
#define static_assert _Static_assert
#endif
