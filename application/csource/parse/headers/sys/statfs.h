#ifndef FORESEE_SYS_STATFS_H
#define FORESEE_SYS_STATFS_H
#include <sys/types.h>
struct statfs {
  long f_type, f_bsize;
  unsigned long f_blocks, f_bfree, f_bavail, f_files, f_ffree, f_fsid;
  long f_namelen, f_frsize, f_flags, f_spare[4];
};
int statfs(const char *, struct statfs *);
int fstatfs(int, struct statfs *);
#endif
