/* TWINS: a pair game whose pair is two sprites in pixels. No orientation byte. Title with falling decoration,
   a menu with a cursor, B goes back. Two fields: one is shown, one is worked on, by turns. Score as digits. */
#include "rt.h"
#ifndef W
#define W 6
#endif
#ifndef H
#define H 12
#endif
#define HID 1
#define R (H+HID)
#ifndef COLORS
#define COLORS 4
#endif
#ifndef NEED
#define NEED 4
#endif
#define LEFT 80
#define TOP 40
u8 seed[2];
u8 decoX[6], decoY[6];
u8 cur;            /* menu cursor */
u8 colr[W][16];    /* a column each, from the top; 0 is empty */
#ifdef DOUBLE
u8 other[W][16];
#endif
struct { u8 x, y, c; } two[2];   /* pixels */
u8 nxt[2];
u8 digits[7];
u8 mode, clockd, dasc, lockc, level;
u8 mark[W][16];
u8 stackx[40], stacky[40];

static u8 rnd(void){ u8 i; u16 s=((u16)seed[0]<<8)|seed[1]; for(i=0;i<5;++i){ s = (s>>1) ^ ((s&1)?0xB400u:0); } seed[0]=s>>8; seed[1]=s; return (u8)s; }
static u8 cell(u8 px, u8 py){ u8 c,r; if(px<LEFT) return 255; c=(px-LEFT)>>3; if(c>=W) return 255;
 if(py<TOP-8*HID) return 0; r=(py-(TOP-8*HID)); r=(r+7)>>3; if(r>=R) return 255; return colr[c][r]; }
static void show(void){ u8 c,r; for(c=0;c<W;++c){ for(r=HID;r<R;++r) put(LEFT/8+c, TOP/8+r-HID, colr[c][r]?colr[c][r]+3:1); } }
static void bits(void){ u8 i; for(i=0;i<2;++i) spr(i,two[i].x,two[i].y,two[i].c+3); spr(2,200,60,nxt[0]+3); spr(3,200,52,nxt[1]+3); }
static void addscore(u16 n, u8 at){ u8 i; while(n){ i=at; for(;;){ if(++digits[i]<10) break; digits[i]=0; if(!i) break; --i; } --n; } }
static void hud(void){ u8 i; for(i=0;i<7;++i) put(20+i,20,digits[i]+32); }
static u8 fits(s8 dx, s8 dy){ return cell(two[0].x+dx,two[0].y+dy)==0 && cell(two[1].x+dx,two[1].y+dy)==0; }
static void turn(u8 cw){ s8 ax=two[1].x-two[0].x, ay=two[1].y-two[0].y, nx, ny; u8 ox=two[1].x, oy=two[1].y;
 if(cw){ nx=-ay; ny=ax; } else { nx=ay; ny=-ax; }
 two[1].x=two[0].x+nx; two[1].y=two[0].y+ny;
 if(cell(two[1].x,two[1].y)){ /* kick away */
   two[0].x-=nx; two[0].y-=ny; two[1].x-=nx; two[1].y-=ny;
   if(cell(two[0].x,two[0].y)||cell(two[1].x,two[1].y)){ two[0].x+=nx; two[0].y+=ny; two[1].x=ox; two[1].y=oy; } } }
static void sink(void){ u8 c,r,w; for(c=0;c<W;++c){ w=R; for(r=R;r-->0;) if(colr[c][r]){ --w; if(w!=r){ colr[c][w]=colr[c][r]; colr[c][r]=0; } } } }
static u8 pop(void){ u8 c,r,n,i,k,x,y,any=0; u16 got=0;
 for(c=0;c<W;++c) for(r=0;r<16;++r) mark[c][r]=0;
 for(c=0;c<W;++c) for(r=HID;r<R;++r) if(colr[c][r] && !mark[c][r]){
   k=colr[c][r]; n=1; stackx[0]=c; stacky[0]=r; mark[c][r]=1;
   for(i=0;i<n && n<36;++i){ x=stackx[i]; y=stacky[i];
     if(x && colr[x-1][y]==k && !mark[x-1][y]){ mark[x-1][y]=1; stackx[n]=x-1; stacky[n++]=y; }
     if(x<W-1 && colr[x+1][y]==k && !mark[x+1][y]){ mark[x+1][y]=1; stackx[n]=x+1; stacky[n++]=y; }
     if(y>HID && colr[x][y-1]==k && !mark[x][y-1]){ mark[x][y-1]=1; stackx[n]=x; stacky[n++]=y-1; }
     if(y<R-1 && colr[x][y+1]==k && !mark[x][y+1]){ mark[x][y+1]=1; stackx[n]=x; stacky[n++]=y+1; } }
   if(n>=NEED){ any+=n; for(i=0;i<n;++i) mark[stackx[i]][stacky[i]]=2; } }
 if(any) for(c=0;c<W;++c) for(r=0;r<R;++r) if(mark[c][r]==2) colr[c][r]=0;
 return any; }
static void newpair(void){ two[0].x=two[1].x=LEFT+16; two[0].y=TOP; two[1].y=TOP-8; two[0].c=nxt[0]; two[1].c=nxt[1]; nxt[0]=rnd()%COLORS+1; nxt[1]=rnd()%COLORS+1; clockd=0; lockc=0; }
static void frames(u8 n){ while(n--) wait(); }
static const u16 power[]={1,8,16,32,64,96,128,160,192,224,256};
static void play(void){ u8 i,c,r,n,chain,g; 
 fill(0); for(i=0;i<7;++i) digits[i]=0; for(c=0;c<W;++c) for(r=0;r<16;++r) colr[c][r]=0;
 for(r=0;r<=H;++r){ put(LEFT/8-1,TOP/8+r,2); put(LEFT/8+W,TOP/8+r,2);} for(c=0;c<W;++c) put(LEFT/8+c,TOP/8+H,2);
 seed[0]^=(u8)ticks; seed[1]|=1; nxt[0]=rnd()%COLORS+1; nxt[1]=rnd()%COLORS+1; show(); hud(); mode=3; newpair();
 for(;;){
  if(cell(two[0].x,two[0].y)) { mode=5; for(i=0;i<2;++i) spr(i,0,0xf0,0); while(!(pad&ST)) wait(); return; }
  for(;;){ wait();
   if(pad&ST){ mode=4; do wait(); while(!(pad&ST)); mode=3; }
   if(pad&(LF|RT)) dasc=0; 
   if(held&(LF|RT)){ ++dasc; if(dasc==1||(dasc>=16&&!(dasc&3))){ s8 d=(held&LF)?-8:8; if(fits(d,0)){ two[0].x+=d; two[1].x+=d; } } if(dasc>=252) dasc=16; } else dasc=0;
   if(pad&BA) turn(1); if(pad&BB) turn(0);
   clockd+= (held&DN)?16:1;
#ifdef HARD
   if(pad&UP){ while(fits(0,8)){ two[0].y+=8; two[1].y+=8; } lockc=60; }
#endif
   if(fits(0,8)||((two[0].y&7)!=0&&fits(0,2))){
#ifdef SMOOTH
     if(clockd>=8){ clockd=0; two[0].y+=2; two[1].y+=2; }
#else
     if(clockd>=30){ clockd=0; two[0].y+=8; two[1].y+=8; }
#endif
   } else { lockc+=(held&DN)?8:1; }
   bits(); if(lockc>=24) break; }
  mode=6;
  for(i=0;i<2;++i){ c=(two[i].x-LEFT)>>3; if(two[i].y<TOP-8*HID) continue; r=(two[i].y-(TOP-8*HID))>>3; colr[c][r]=two[i].c; spr(i,0,0xf0,0); }
  frames(4); sink(); show(); chain=0;
  for(;;){ n=pop(); if(!n) break; g=power[chain<10?chain:10]; addscore((u16)n*g,5); ++chain; frames(12); show(); sink(); show(); hud(); frames(8); }
  newpair(); mode=3; frames(8);
 } }
static void title(void){ u8 i; fill(0); mode=0; for(i=0;i<12;++i) put(8+i,8,40+i); for(i=0;i<6;++i){ decoX[i]=20+i*37; decoY[i]=i*30; }
 for(;;){ wait(); seed[0]+=3; for(i=0;i<6;++i){ decoY[i]+=1+(i&1); spr(i+8,decoX[i],decoY[i],4+(i&3)); } if(pad&ST) return; } }
static u8 menu(void){ u8 i; fill(0); mode=1; cur=0; for(i=0;i<8;++i){ put(10+i,10,60+i); put(10+i,12,70+i); put(10+i,14,80+i); }
 for(;;){ wait(); ++seed[1]; if((pad&DN)&&cur<2) ++cur; if((pad&UP)&&cur) --cur; spr(8,64,80+cur*16,9); if(pad&BB) return 9; if(pad&BA) return cur; } }
static void options(void){ fill(0); mode=2; for(;;){ wait(); if((pad&RT)&&level<9) ++level; if((pad&LF)&&level) --level; put(16,12,level+32); if(pad&BB) return; } }
void main(void){ u8 m; for(;;){ title(); for(;;){ m=menu(); if(m==9) break; if(m==0) play(); else if (m==1) options(); else { fill(3); mode=7; while(!(pad&BB)) wait(); } } } }
