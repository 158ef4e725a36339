#ifndef FORESEE_SYS_VFS_H
#define FORESEE_SYS_VFS_H
#include <sys/statfs.h>
#endif
