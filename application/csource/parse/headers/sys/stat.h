#ifndef FORESEE_SYS_STAT_H
#define FORESEE_SYS_STAT_H
#include <sys/types.h>
#define S_IRWXU 0700
#define S_IRUSR 0400
#define S_IWUSR 0200
#define S_IXUSR 0100
#define S_IRWXG 0070
#define S_IRGRP 0040
#define S_IROTH 0004
#define S_ISDIR(m) (((m) & 0170000) == 0040000)
#define S_ISREG(m) (((m) & 0170000) == 0100000)
struct stat {
  dev_t st_dev;
  ino_t st_ino;
  nlink_t st_nlink;
  mode_t st_mode;
  uid_t st_uid;
  gid_t st_gid;
  int pad0;
  dev_t st_rdev;
  off_t st_size;
  blksize_t st_blksize;
  blkcnt_t st_blocks;
  long times[6];
  long unused[3];
};
int stat(const char *, struct stat *);
int fstat(int, struct stat *);
int lstat(const char *, struct stat *);
int mkdir(const char *, mode_t);
int chmod(const char *, mode_t);
mode_t umask(mode_t);
#define S_IFMT 0170000
#define S_IFREG 0100000
#define S_IFDIR 0040000
#define S_IFLNK 0120000
#define S_IWGRP 0020
#define S_IXGRP 0010
#define S_IRWXO 0007
#define S_IWOTH 0002
#define S_IXOTH 0001
#define S_ISLNK(m) (((m) & 0170000) == 0120000)
#define S_ISFIFO(m) (((m) & 0170000) == 0010000)
#define S_ISCHR(m) (((m) & 0170000) == 0020000)
#define S_ISBLK(m) (((m) & 0170000) == 0060000)
#define S_ISSOCK(m) (((m) & 0170000) == 0140000)
int fchmod(int, mode_t);
int mkfifo(const char *, mode_t);
#endif
