#ifndef FORESEE_SYS_CDEFS_H
#define FORESEE_SYS_CDEFS_H
#define __BEGIN_DECLS
#define __END_DECLS
#endif
