#ifndef FORESEE_SYS_TYPES_H
#define FORESEE_SYS_TYPES_H
#include <stddef.h>
struct timeval {
  long tv_sec;
  long tv_usec;
};
typedef long ssize_t;
typedef long off_t;
typedef int pid_t;
typedef long time_t;
typedef unsigned int uint;
typedef unsigned char u_char;
typedef unsigned int uid_t;
typedef unsigned int gid_t;
typedef unsigned int mode_t;
typedef unsigned long dev_t;
typedef unsigned long ino_t;
typedef unsigned long nlink_t;
typedef long blksize_t;
typedef long blkcnt_t;
typedef long suseconds_t;
typedef long clock_t;
typedef int key_t;
typedef unsigned short ushort;
typedef unsigned long ulong;
typedef unsigned short u_short;
typedef unsigned int u_int;
typedef unsigned long u_long;
typedef signed char int8_t;
typedef unsigned char u_int8_t;
typedef unsigned short u_int16_t;
typedef unsigned int u_int32_t;
typedef unsigned long u_int64_t;
#endif
