#ifndef FORESEE_SETJMP_H
#define FORESEE_SETJMP_H
typedef struct {
  long registers[25];
} jmp_buf[1];
int setjmp(jmp_buf);
void longjmp(jmp_buf, int);
#endif
