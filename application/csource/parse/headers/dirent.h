#ifndef FORESEE_DIRENT_H
#define FORESEE_DIRENT_H
#include <sys/types.h>
typedef struct _DIR DIR;
struct dirent {
  ino_t d_ino;
  off_t d_off;
  unsigned short d_reclen;
  unsigned char d_type;
  char d_name[256];
};
DIR *opendir(const char *);
struct dirent *readdir(DIR *);
int closedir(DIR *);
#endif
