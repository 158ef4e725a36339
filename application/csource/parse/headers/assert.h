#ifndef FORESEE_ASSERT_H
#define FORESEE_ASSERT_H
#define assert(x) ((void)0)
#define static_assert _Static_assert
#endif
