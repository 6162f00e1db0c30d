typedef unsigned char u8; typedef unsigned int u16; typedef signed char s8;
extern u8 pad, held, qlen; extern u16 ticks;
#pragma zpsym("pad")
#pragma zpsym("held")
#pragma zpsym("qlen")
#pragma zpsym("ticks")
void wait(void); void ppu_off(void); void ppu_on(void);
#define queue ((u8*)0x120)
#define oam ((u8*)0x200)
#define BA 128
#define BB 64
#define SEL 32
#define ST 16
#define UP 8
#define DN 4
#define LF 2
#define RT 1
#define P(a) (*(volatile u8*)(a))
static void put(u8 x,u8 y,u8 t){ u16 a=0x2000+((u16)y<<5)+x; while(qlen>=72) wait(); queue[qlen]=a>>8; queue[qlen+1]=a; queue[qlen+2]=t; qlen+=3; }
static void fill(u8 t){ u16 i; ppu_off(); qlen=0; P(0x2006)=0x3f;P(0x2006)=0; for(i=0;i<32;++i) P(0x2007)=(i&3)==0?0x0f:(u8)(0x11+(i&3)*0x10+((i>>2)*3)%12);
 P(0x2006)=0x20;P(0x2006)=0; for(i=0;i<960;++i) P(0x2007)=t; for(i=0;i<64;++i)P(0x2007)=0; for(i=0;i<64;++i) oam[i<<2]=0xf0; ppu_on(); }
static void spr(u8 n,u8 x,u8 y,u8 t){ u8 k=n<<2; oam[k]=y-1; oam[k+1]=t; oam[k+2]=t&3; oam[k+3]=x; }
