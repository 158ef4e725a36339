// SPDX-License-Identifier: Apache-2.0
//
// Loops on numbers of all types, for the instructions that compilers make of them.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
#define N 100000
typedef struct {uint8_t r,g,b,a;} px; typedef struct{float x,y,z;} v3; typedef struct{double x,y;} c2; typedef struct{int16_t l,r;} st;
uint8_t u8[N],w8[N],o8[N]; int8_t s8[N]; uint16_t u16[N],o16[N]; int16_t s16[N],t16[N]; int32_t s32[N],t32[N],r32[N]; uint32_t u32[N],x32[N]; int64_t s64[N],t64[N]; uint64_t u64[N]; float f[N],g[N],h[N]; double d[N],e[N]; px p[N],q[N]; v3 a3[N],b3[N]; c2 c[N],k[N]; st ss[N]; _Bool bb[N];
void f1(void){for(int i=0;i<N;i++){int v=u8[i]*77+w8[i]*151; o8[i]=v>>8;}}
void f2(void){for(int i=0;i<N;i++)o8[i]=(p[i].r*77+p[i].g*151+p[i].b*28)>>8;}
void f3(void){for(int i=0;i<N;i++){q[i].r=255-p[i].r;q[i].g=p[i].g/2;q[i].b=p[i].b|3;q[i].a=p[i].a;}}
int f4(void){int n=0;for(int i=0;i<N;i++)n+=u8[i]==7;return n;}
int f5(void){int n=0;for(int i=0;i<N;i++)n+=abs(u8[i]-w8[i]);return n;}
void f6(void){for(int i=0;i<N;i++)s16[i]=s16[i]+t16[i]>32767?32767:s16[i]+t16[i]<-32768?-32768:s16[i]+t16[i];}
void f7(void){for(int i=0;i<N;i++)o8[i]=u8[i]+w8[i]>255?255:u8[i]+w8[i];}
int f8(void){int n=0;for(int i=0;i<N;i++)n+=s16[i]*t16[i];return n;}
void f9(void){for(int i=0;i<N;i++)o16[i]=u16[i]>w8[i]?u16[i]:w8[i];}
void f10(void){for(int i=0;i<N;i++)f[i]=u8[i]*0.5f+s16[i];}
void f11(void){for(int i=0;i<N;i++)o8[i]=(uint8_t)(f[i]*255.0f+0.5f);}
void f12(void){for(int i=0;i<N;i++)s32[i]=(int)d[i];}
void f13(void){for(int i=0;i<N;i++)s64[i]=(int64_t)d[i];}
void f14(void){for(int i=0;i<N;i++)d[i]=s64[i]+u64[i];}
void f15(void){for(int i=0;i<N;i++)u32[i]=(x32[i]<<13)|(x32[i]>>19);}
void f16(void){for(int i=0;i<N;i++)u32[i]=x32[i]<<(i&31);}
int f17(void){int n=0;for(int i=0;i<N;i++)n+=__builtin_popcountll(u64[i]);return n;}
int f18(void){int n=0;for(int i=0;i<N;i++)n+=__builtin_clz(u32[i]|1);return n;}
int f19(void){int n=0;for(int i=0;i<N;i++)n+=__builtin_ctz(u32[i]|1);return n;}
uint32_t f20(void){uint32_t n=1;for(int i=0;i<N;i++)n=n*1103515245u+u8[i];return n;}
int f21(void){int n=0;for(int i=0;i<N;i++)if(s32[i]>t32[i])n=n>s32[i]?n:s32[i];return n;}
float f22(void){float n=-1e9;for(int i=0;i<N;i++)n=f[i]>n?f[i]:n;return n;}
int f23(void){int n=0;float m=-1e9;for(int i=0;i<N;i++)if(f[i]>m){m=f[i];n=i;}return n;}
void f24(void){for(int i=0;i<N;i++){float l=1.0f/sqrtf(a3[i].x*a3[i].x+a3[i].y*a3[i].y+a3[i].z*a3[i].z);b3[i].x=a3[i].x*l;b3[i].y=a3[i].y*l;b3[i].z=a3[i].z*l;}}
void f25(void){for(int i=0;i<N;i++){double t=c[i].x*k[i].x-c[i].y*k[i].y;c[i].y=c[i].x*k[i].y+c[i].y*k[i].x;c[i].x=t;}}
void f26(void){for(int i=0;i<N;i++)d[i]=d[N-1-i]+e[i];}
void f27(void){for(int i=0;i<N/2;i++){double t=d[i];d[i]=d[N-1-i];d[N-1-i]=t;}}
void f28(void){for(int i=0;i<N/2;i++)f[i]=g[2*i]+g[2*i+1];}
void f29(void){for(int i=0;i<N/3;i++)f[i]=g[3*i]+g[3*i+1]*g[3*i+2];}
void f30(void){for(int i=0;i<N;i++)d[i]=e[s32[i]];}
void f31(void){for(int i=0;i<N;i++)if(bb[i])d[i]=e[i];}
void f32(void){for(int i=0;i<N;i++)d[i]=fabs(e[i])>1?copysign(1,e[i]):floor(e[i]);}
void f33(void){for(int i=0;i<N;i++)s32[i]=t32[i]/7+r32[i]%10;}
void f34(void){for(int i=0;i<N;i++)s64[i]=t64[i]*s32[i];}
void f35(void){for(int i=0;i<N;i++)u8[i]=w8[i]>>3&7;}
void f36(void){for(int i=0;i<N;i++)s8[i]=s8[i]<0?-s8[i]:s8[i];}
void f37(void){for(int i=0;i<N;i++)ss[i].l=(ss[i].l+ss[i].r)/2;}
int f38(void){int n=0;for(int i=0;i<N;i++)n^=u8[i]<<(i%24);return n;}
void f39(void){for(int i=0;i<N;i++)u8[i]=u8[i]>='a'&&u8[i]<='z'?u8[i]-32:u8[i];}
int f40(char*s){int n=0;while(*s){if(*s==' ')n++;s++;}return n;}
void f41(void){for(int i=0;i<N;i++)f[i]=rint(d[i]);}
void f42(void){for(int i=0;i<N;i++)f[i]=fmaf(g[i],h[i],f[i]);}
void f43(void){for(int i=1;i<N;i++)s32[i]+=s32[i-1];}
void f44(void){for(int i=0;i<N;i++)u16[i]=u16[i]*u16[i]>>16;}
void f45(void){for(int i=0;i<N;i++)u64[i]=__builtin_bswap64(u64[i]);}
void f46(void){for(int i=0;i<N;i++)u8[i]=w8[N-1-i];}
long f47(void){long n=0;for(int i=0;i<N;i++)n+=s8[i];return n;}
double f48(void){double n=0;for(int i=0;i<N;i++)n+=u8[i]*d[i];return n;}
void f49(void){for(int i=0;i<N;i++)d[i]=s32[i]>0?d[i]/e[i]:0;}
void f50(void){for(int i=0;i<N;i++)d[i]=fmax(d[i],fmin(e[i],3));}
