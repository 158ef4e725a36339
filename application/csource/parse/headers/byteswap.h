#ifndef FORESEE_BYTESWAP_H
#define FORESEE_BYTESWAP_H
#define bswap_16(x) ((unsigned short)((((x) >> 8) & 0xff) | (((x) & 0xff) << 8)))
#define bswap_32(x) __builtin_bswap32(x)
#define bswap_64(x) __builtin_bswap64(x)
unsigned int __builtin_bswap32(unsigned int);
unsigned long __builtin_bswap64(unsigned long);
#endif
