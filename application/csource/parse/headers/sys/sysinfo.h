#ifndef FORESEE_SYS_SYSINFO_H
#define FORESEE_SYS_SYSINFO_H
int get_nprocs(void);
int get_nprocs_conf(void);
#endif
