package emulate
import ("testing";"os";"path/filepath";"bytes";"strings";"foresee/application/assembly";"time")
func TestX(t *testing.T){
 fs,_:=filepath.Glob("/tmp/t1/asm/*"+os.Getenv("PAT")+"*.s"); good:=0; n:=int64(0); reasons:=map[string]int{}
 begun:=time.Now()
 for _,f:=range fs{ r,_:=os.Open(f); x,err:=assembly.Read(f,r); if err!=nil{t.Error(err);continue}
  p,err:=Load(1,x); if err!=nil{ t.Log(err); reasons[err.(*Error).Reason]++; continue}
  var out bytes.Buffer; p.Output=&out; p.Most=200e6
  _,err=p.Run("main")
  n+=p.Executed()
  want,_:=os.ReadFile(strings.TrimSuffix(f,".s")+".want")
  if err!=nil { t.Log(f,err); continue}
  if out.String()!=string(want){ t.Logf("%s: %q want %q unknown %v",f,out.String(),want,p.Unknown()); continue}
  good++
 }
 t.Log(good,len(fs),n, float64(n)/time.Since(begun).Seconds()/1e6,"M/s",reasons)
}
