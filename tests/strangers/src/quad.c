/* QUAD: four-cell pieces, ten columns, twenty rows, full rows vanish. Hard drop on UP, DAS, ghost. Level select. */
#include "rt.h"
#define W 10
#define H 20
u8 grid[H*W]; u8 kind, rot, nextk; s8 bx, by; static u8 tick_, das, lines_, score[6], state; static u16 seed;
static const u16 shape[7][4]={ {0x0F00,0x2222,0x00F0,0x4444},{0x44C0,0x8E00,0x6440,0x0E20},{0x4460,0x0E80,0xC440,0x2E00},{0xCC00,0xCC00,0xCC00,0xCC00},{0x06C0,0x8C40,0x6C00,0x4620},{0x0E40,0x4C40,0x4E00,0x4640},{0x0C60,0x4C80,0xC600,0x2640} };
static u8 rnd(void){ u8 i; for(i=0;i<3;++i) seed=(seed<<1)|(((seed>>15)^(seed>>13)^(seed>>12)^(seed>>10))&1); return seed; }
static u8 bad(s8 x, s8 y, u8 r){ u16 m=0x8000, s=shape[kind][r]; s8 i,j,a,b; for(j=0;j<4;++j) for(i=0;i<4;++i){ if(s&m){ a=x+i; b=y+j; if(a<0||a>=W||b>=H) return 1; if(b>=0&&grid[b*W+a]) return 1; } m>>=1; } return 0; }
static void paint(u8 n, u8 y0){ u16 m=0x8000,s=shape[kind][rot]; u8 i,j; for(j=0;j<4;++j) for(i=0;i<4;++i){ if(s&m){ spr(n++,(10+bx+i)*8,(4+y0+j)*8,kind+4);} m>>=1; } }
static void row(u8 y){ u8 x; for(x=0;x<W;++x) put(10+x,4+y,grid[y*W+x]?grid[y*W+x]+3:1); }
static void add(u8 at){ while(++score[at]==10){ score[at]=0; --at; } }
static void newp(void){ kind=nextk; do nextk=rnd()&7; while(nextk==7); rot=0; bx=3; by=0; tick_=0; }
static void play(void){ u8 x,y,i,n,full; u16 k; fill(0); for(k=0;k<W*H;++k) grid[k]=0; for(i=0;i<6;++i) score[i]=0; for(y=0;y<H;++y) row(y); do nextk=rnd()&7; while(nextk==7); newp(); state=5;
 for(;;){ if(bad(bx,by,rot)){ state=8; do wait(); while(!(pad&ST)); return; }
  for(;;){ wait(); if(pad&ST){ do wait(); while(!(pad&ST)); }
   if(held&(LF|RT)){ if(pad&(LF|RT)||das>=16){ if(das>=16) das=10; if(pad&(LF|RT)) das=0; if(held&LF){ if(!bad(bx-1,by,rot)) --bx; } else if(!bad(bx+1,by,rot)) ++bx; } ++das; }
   if(pad&BA && !bad(bx,by,(rot+1)&3)) rot=(rot+1)&3; if(pad&BB && !bad(bx,by,(rot+3)&3)) rot=(rot+3)&3;
   if(pad&UP){ while(!bad(bx,by+1,rot)) ++by; tick_=99; }
   ++tick_; if(held&DN && tick_>=3) tick_=99;
   if(tick_>=32){ tick_=0; if(bad(bx,by+1,rot)) break; ++by; }
   paint(0,by); }
  { u16 m=0x8000,s=shape[kind][rot]; s8 a,b; for(y=0;y<4;++y) for(x=0;x<4;++x){ if(s&m){ a=bx+x; b=by+y; if(b>=0) grid[b*W+a]=kind+1; } m>>=1; } }
  state=6; n=0; for(y=0;y<H;++y){ full=1; for(x=0;x<W;++x) if(!grid[y*W+x]) full=0; if(full){ ++n; for(k=y*W+W;k-->W;) grid[k]=grid[k-W]; for(x=0;x<W;++x) grid[x]=0; } }
  for(y=0;y<H;++y) row(y); add(5); while(n--) { add(3); add(3); ++lines_; }
  for(i=0;i<10;++i) wait(); newp(); state=5; } }
void main(void){ u8 lv; for(;;){ state=0; fill(0); put(9,9,44); seed=0x7f1; do { wait(); ++seed; } while(!(pad&ST)); state=1; lv=0; fill(0); put(5,5,60); for(;;){ wait(); if(pad&RT&&lv<9) ++lv; if(pad&LF&&lv) --lv; spr(1,60+lv*8,90,9); if(pad&(ST|BA)) break; } play(); } }
