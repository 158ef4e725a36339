#ifndef FORESEE_ISO646_H
#define FORESEE_ISO646_H
#define and &&
#define or ||
#define not !
#endif
