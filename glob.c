#include <stdio.h>
#define N 20000
static int nb[N][4]; static short kind[N]; static double f[N], g[N]; int start[101], list[N];
static void relax(const int (*q)[4], const int *st, const int *ls){
  for(int c=0;c<100;c++) for(int k=st[c];k<st[c+1];k++){ int i=ls[k]; double s=0; for(int j=0;j<4;j++) s+=f[q[i][j]]; if(kind[i]==2) s*=0.5; g[i]=s; }
}
int main(void){
  for(int i=0;i<N;i++){ for(int j=0;j<4;j++) nb[i][j]=(i*(j+3)+17)%N; kind[i]=i%3; }
  for(int c=0;c<=100;c++) start[c]=c*(N/100); for(int i=0;i<N;i++) list[i]=(i%100)*(N/100)+i/100;
  for(int t=0;t<5;t++){ relax(nb,start,list); for(int i=0;i<N;i++) f[i]+=g[i]; }
  printf("%g\n",f[3]); }
