#ifndef FORESEE_UCONTEXT_H
#define FORESEE_UCONTEXT_H
#include <signal.h>
typedef struct ucontext {
  long words[121];
} ucontext_t;
int getcontext(ucontext_t *);
int setcontext(const ucontext_t *);
void makecontext(ucontext_t *, void (*)(void), int, ...);
int swapcontext(ucontext_t *, const ucontext_t *);
#endif
