#ifndef FORESEE_SYS_IOCTL_H
#define FORESEE_SYS_IOCTL_H
int ioctl(int, unsigned long, ...);
#endif
