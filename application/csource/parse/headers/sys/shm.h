#ifndef FORESEE_SYS_SHM_H
#define FORESEE_SYS_SHM_H
#include <sys/ipc.h>
#define SHM_RDONLY 010000
#define SHM_HUGETLB 04000
struct shmid_ds {
  struct ipc_perm shm_perm;
  size_t shm_segsz;
  long words[7];
};
int shmget(key_t, size_t, int);
void *shmat(int, const void *, int);
int shmdt(const void *);
int shmctl(int, int, struct shmid_ds *);
#endif
