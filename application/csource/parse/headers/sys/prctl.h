#ifndef FORESEE_SYS_PRCTL_H
#define FORESEE_SYS_PRCTL_H
#define PR_SET_PDEATHSIG 1
#define PR_SET_NAME 15
#define PR_GET_NAME 16
#define PR_SET_THP_DISABLE 41
int prctl(int, ...);
#endif
