#ifndef FORESEE_STDNORETURN_H
#define FORESEE_STDNORETURN_H
#define noreturn _Noreturn
#endif
