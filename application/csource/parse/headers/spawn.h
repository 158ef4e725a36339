#ifndef FORESEE_SPAWN_H
#define FORESEE_SPAWN_H
#include <sys/types.h>
typedef struct {
  long words[42];
} posix_spawnattr_t;
typedef struct {
  long words[10];
} posix_spawn_file_actions_t;
int posix_spawn(pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *, char *const *, char *const *);
int posix_spawnp(pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *, char *const *, char *const *);
#endif
