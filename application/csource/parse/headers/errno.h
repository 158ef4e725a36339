#ifndef FORESEE_ERRNO_H
#define FORESEE_ERRNO_H
extern int errno;
#define EINVAL 22
#define ENOMEM 12
#define ERANGE 34
#define EPERM 1
#define ENOENT 2
#define EINTR 4
#define EIO 5
#define EAGAIN 11
#define EACCES 13
#define EBUSY 16
#define EEXIST 17
#define ENODEV 19
#define ENOTDIR 20
#define EISDIR 21
#define ENOSPC 28
#define EPIPE 32
#define EDOM 33
#define ENOSYS 38
#define ENOTSUP 95
#define ETIMEDOUT 110
#endif
