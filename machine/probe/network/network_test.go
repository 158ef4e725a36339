package network

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"

	"foresee/machine/cluster"
)

// made prints samples of a network that is known: one way a + size·b within a node and between two, with a step behind eager messages, and noise that
// only adds; every so often a sample is ten times as long.
func made(noise float64, hosts int) string {
	random := rand.New(rand.NewPCG(1, 2))
	disturbed := func(t float64) float64 {
		t *= 1 + noise*math.Abs(random.NormFloat64())
		if random.IntN(4) == 0 {
			t *= 1 + 9*math.Min(1, 20*noise)
		}
		return t
	}
	var out strings.Builder
	out.WriteString("mpi Open MPI v4.1.4\n")
	for i := range 4 {
		fmt.Fprintf(&out, "host %d n%d\n", i, i*hosts/4)
	}
	for range 12 {
		for bytes := 0; bytes <= 4<<20; bytes = max(1, 2*bytes) {
			inside, between := 0.5e-6+float64(bytes)/8e9, 2e-6+float64(bytes)/10e9
			if bytes > 4096 {
				inside += 1e-6
			}
			if bytes > 8192 {
				between += 4e-6
			}
			fmt.Fprintf(&out, "pingpong node %d %.9g\n", bytes, disturbed(inside))
			if hosts > 1 {
				fmt.Fprintf(&out, "pingpong link %d %.9g\n", bytes, disturbed(between))
			}
		}
		fmt.Fprintf(&out, "call 8 %.9g\npairs node 1 1048576 %.9g\npairs link 2 1048576 %.9g\n", disturbed(0.2e-6), disturbed(1048576/8e9), disturbed(2*1048576/12e9))
		fmt.Fprintf(&out, "allreduce 4 8 %.9g\nreduce 1048576 %.9g\n", disturbed(5e-6), disturbed(1048576/5e9))
	}
	out.WriteString("eager node 4096\neager link 8192\nend\n")
	return out.String()
}

// Oracle: the network that the samples are of.
func TestDescribe(t *testing.T) {
	s, err := Read(strings.NewReader(made(0.02, 2)))
	if err != nil {
		t.Fatal(err)
	}
	c, err := s.Describe("made", "mpirun -n 4", "2026-01-01")
	if err != nil {
		t.Fatal(err)
	}
	n := &c.Network
	for _, q := range []struct {
		name      string
		got, want float64
	}{
		{"latency of a link", n.LatencyUS.Value, (2 - 0.2) / 2},
		{"two pairs", n.BandwidthGBs.Value, 12},
		{"one pair", n.Software.WindowBytes.Value / (2 * (2 * n.LatencyUS.Value * n.Sizes[len(n.Sizes)-1].Latency * 1e-6) / 1) / 1e9, 10},
		{"within, latency", n.Node.LatencyUS.Value, 0.5},
		{"within", n.Node.BandwidthGBs.Value, 8},
		{"call", n.Software.SendOverheadUS.Value, 0.2},
		{"reduce", n.Software.ReduceGBs.Value, 5},
		{"handshake", n.Software.Handshake.Value, 4 / 1.8},
	} {
		if math.Abs(q.got/q.want-1) > 0.1 {
			t.Errorf("%s: %g, not %g", q.name, q.got, q.want)
		}
	}
	if n.Software.EagerBytes.Value != 8192 || c.Nodes.Value != 2 || c.RanksPerNode.Value != 2 || n.Software.Library != "openmpi" {
		t.Errorf("%+v", c)
	}
	data, err := c.YAML()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := cluster.Parse("made", data); err != nil {
		t.Errorf("what is written is not read: %v\n%s", err, data)
	}
	if !strings.Contains(strings.Join(c.Notes, "\n"), "gives back the ping-pong (link) to") {
		t.Errorf("%q", c.Notes)
	}
}

// TestNoise: disturbances of single samples change nothing; where noise reaches all, nothing is said.
func TestNoise(t *testing.T) {
	s, err := Read(strings.NewReader(made(2, 1)))
	if err != nil {
		t.Fatal(err)
	}
	noise := new(NoiseError)
	if _, err := s.Describe("made", "mpirun", "2026-01-01"); !errors.As(err, &noise) {
		t.Errorf("%v", err)
	}
	if got, ok := quiet([]float64{9, 1.01, 5, 1, 1.02, 7, 8, 1.03, 30}); !ok || math.Abs(got-1.01) > 1e-9 {
		t.Errorf("%g, %v", got, ok)
	}
	if _, ok := quiet([]float64{1, 2, 3, 4, 5, 6}); ok {
		t.Error("noise in all samples is taken for a value")
	}
}

func TestRead(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"mpi x\nhost 0 a\nhost 1 a\n", "did not come to its end"},
		{"mpi x\nhost 0 a\nend\n", ErrAlone.Error()},
		{"pingpong node 8 -1\nend\n", "line 1 "},
		{"pairs node x 8 1\nend\n", "line 1 "},
	} {
		if _, err := Read(strings.NewReader(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, not %q", err, c.want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(made(0.02, 2)))
	f.Add([]byte("mpi x\nhost 0 a\nhost 1 a\npingpong node 8 1e-6\nend\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := Read(strings.NewReader(string(text)))
		if err != nil {
			return
		}
		c, err := s.Describe("fuzz", "mpirun", "2026-01-01")
		if err != nil {
			return
		}
		data, err := c.YAML()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := cluster.Parse("fuzz", data); err != nil {
			t.Fatalf("%v\n%s", err, data)
		}
	})
}

// TestMeasure starts two ranks here, under each MPI that there is.
func TestMeasure(t *testing.T) {
	for _, v := range []string{"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "OMPI_MCA_rmaps_base_oversubscribe", "OMPI_MCA_mpi_yield_when_idle"} {
		t.Setenv(v, "1")
	}
	for _, kind := range []string{"openmpi", "mpich"} {
		t.Run(kind, func(t *testing.T) {
			for _, program := range []string{"mpirun." + kind, "mpicc." + kind} {
				if _, err := exec.LookPath(program); err != nil {
					t.Skipf("needs %s: apt-get install openmpi-bin libopenmpi-dev mpich libmpich-dev", program)
				}
			}
			s, err := Measure(context.Background(), Launch{Command: []string{"mpirun." + kind, "-n", "2"}, Compiler: []string{"mpicc." + kind}, Dir: t.TempDir()})
			if err != nil {
				t.Fatal(err)
			}
			if len(s.Hosts) != 2 || len(s.PingPong) != 42 || len(s.Allreduce) != 4 {
				t.Fatalf("%d hosts, %d sizes, eager %v, %d allreduces", len(s.Hosts), len(s.PingPong), s.Eager, len(s.Allreduce))
			}
			c, err := s.Describe("here", "mpirun", "2026-01-01")
			if noise := new(NoiseError); errors.As(err, &noise) {
				t.Skip(err)
			}
			if err != nil || c.Network.Software.Library != kind || c.Nodes.Value != 1 {
				t.Fatalf("%+v, %v", c, err)
			}
			if eager, known := s.Eager[Node]; known && (eager < 64 || eager >= 4<<20) {
				t.Errorf("messages up to %d bytes go at once, and neither library is so built", eager)
			}
			t.Logf("eager %d; %s", s.Eager[Node], strings.Join(c.Notes, "; "))
		})
	}
	if files, err := os.ReadDir("."); err == nil {
		for _, f := range files {
			if strings.HasPrefix(f.Name(), ".foresee-mpi") {
				t.Errorf("%s is left", f.Name())
			}
		}
	}
}
