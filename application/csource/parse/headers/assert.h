#ifndef FORESEE_ASSERT_H
#define FORESEE_ASSERT_H
#ifdef NDEBUG
#define assert(x) ((void)0)
#else
#define assert(x) ((void)(x))
#endif
#define static_assert _Static_assert
#endif
