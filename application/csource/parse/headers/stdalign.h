#ifndef FORESEE_STDALIGN_H
#define FORESEE_STDALIGN_H
#define alignas _Alignas
#define alignof _Alignof
#endif
