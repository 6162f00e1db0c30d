/* GEMS: three jewels in a column fall; equal ones in a row of three, any of four directions, vanish.
   Intro with a demo that plays by itself. Field row-major, stride 8, codes in the high nibble. Score BCD. y in 1/16. */
#include "rt.h"
#define W 6
#define H 13
#define OX 12
#define OY 6
u8 f[H+3][8];
u8 show_[H+3][8];
u8 jewel[3], coming[3];
u8 px; u16 py; static u8 speed, st, rep, demo, demot;
u8 score[4]; static u8 mk[H+3][8]; static u16 rng;
static u8 rnd(void){ rng=rng*5u+0x3619u+ticks; return rng>>8; }
static u8 gem(void){ return ((rnd()%5)+1)<<4; }
static void deal(void){ u8 i; for(i=0;i<3;++i){ jewel[i]=coming[i]; coming[i]=gem(); spr(8+i,200,60+i*8,(coming[i]>>4)+3);} px=3; py=0; }
static void draw(void){ u8 x,y; for(y=3;y<H+3;++y) for(x=0;x<W;++x) if(f[y][x]!=show_[y][x]){ show_[y][x]=f[y][x]; put(OX+x,OY+y-3,f[y][x]?(f[y][x]>>4)+3:1);} }
static u8 busy(u8 x, u8 row){ /* row of the lowest jewel */ if(x>=W) return 1; if(row>=H+3) return 1; return f[row][x]; }
static void add(u8 n){ u8 i,c; while(n--){ i=3; c=1; while(c){ if((score[i]&15)==9){ score[i]=(score[i]&0xf0)+0x10; if(score[i]==0xa0){ score[i]=0; if(!i) break; --i; continue; } } else ++score[i]; c=0; } } }
static u8 sweep(void){ u8 x,y,d,k,n=0; static const s8 dx[]={1,0,1,1}, dy[]={0,1,1,-1}; s8 a,b;
 for(y=0;y<H+3;++y) for(x=0;x<8;++x) mk[y][x]=0;
 for(y=3;y<H+3;++y) for(x=0;x<W;++x){ k=f[y][x]; if(!k) continue; for(d=0;d<4;++d){ a=x+2*dx[d]; b=y+2*dy[d]; if(a<0||a>=W||b<0||b>=H+3) continue;
   if(f[y+dy[d]][x+dx[d]]==k && f[b][a]==k){ mk[y][x]=mk[y+dy[d]][x+dx[d]]=mk[b][a]=1; } } }
 for(y=0;y<H+3;++y) for(x=0;x<W;++x) if(mk[y][x]){ f[y][x]=0; ++n; } return n; }
static void drop(void){ u8 x,y,w; for(x=0;x<W;++x){ w=H+3; for(y=H+3;y-->0;) if(f[y][x]){ --w; if(w!=y){ f[w][x]=f[y][x]; f[y][x]=0; } } } }
static void game(void){ u8 i,x,y,k,n,m; 
 fill(0); for(y=0;y<H+3;++y) for(x=0;x<8;++x){ f[y][x]=0; show_[y][x]=0xff; } for(i=0;i<4;++i) score[i]=0;
 for(y=0;y<=H;++y){ put(OX-1,OY+y,2); put(OX+W,OY+y,2);} 
 for(i=0;i<3;++i) coming[i]=gem(); deal(); draw(); speed=2; demot=0;
 for(;;){ wait(); k=pad; 
  if(demo){ ++demot; k=0; if((demot&31)==5) k=(rnd()&1)?LF:RT; if((demot&31)==20) k=BA; if(pad&ST||demot==250) { st=0; return; } }
  else if(k&ST){ do wait(); while(!(pad&ST)); k=0; }
  y=(u8)(py>>4)+2; /* row of the lowest */
  if(k&LF && px && !busy(px-1,y+((py&15)?1:0))) --px; if(k&RT && !busy(px+1,y+((py&15)?1:0))) ++px;
  if(k&(BA|BB)){ i=jewel[2]; if(k&BA){ jewel[2]=jewel[1]; jewel[1]=jewel[0]; jewel[0]=i; } else { jewel[2]=jewel[0]; jewel[0]=jewel[1]; jewel[1]=i; } }
  n = (!demo&&(held&DN))?8:((ticks&3)?0:2); 
  if(busy(px,y+1) && !(py&15)){ if(n) ++rep; if(rep>6){ rep=0; 
    for(i=0;i<3;++i) f[y-2+i][px]=jewel[i]; for(i=0;i<3;++i) spr(i,0,0xf0,0); draw(); m=1; while((n=sweep())!=0){ add(n*m); m+=m; for(i=0;i<10;++i) wait(); draw(); drop(); for(i=0;i<6;++i) wait(); draw(); }
    for(x=0;x<W;++x) if(f[2][x]){ st=9; for(i=0;i<200;++i) wait(); st=0; return; } for(i=0;i<12;++i) wait(); deal(); } }
  else { rep=0; py+=n; if(busy(px,(u8)(py>>4)+3)) py&=0xfff0; }
  for(i=0;i<3;++i) spr(i,(OX+px)*8,OY*8-8+ (u8)(py>>1)+i*8-8,(jewel[i]>>4)+3);
  for(i=0;i<4;++i) if(!(ticks&15)) { put(20+i*2,22,32+(score[i]>>4)); put(21+i*2,22,32+(score[i]&15)); }
 } }
void main(void){ u16 w; u8 i; rng=0x1234; for(;;){ fill(0); st=0; demo=0; for(i=0;i<10;++i) put(10+i,12,50+i); for(w=0;w<400;++w){ wait(); ++rng; spr(20,(u8)w,100,5); if(pad&ST) break; }
  if(w==400) demo=1; st=1; game(); } }
