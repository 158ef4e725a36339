package main

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"foresee/cmd/foresee/cli"
	"foresee/cmd/foresee/remedy"
	"foresee/machine"
	"foresee/web/engine"
	"foresee/web/server"
)

// serving are the flags of serve.
type serving struct {
	listen   string
	hosts    []string
	compiler string
	longest  time.Duration
	files    cli.HostFlags
}

func serveCommand(s *cli.Streams) *cobra.Command {
	v := &serving{}
	cmd := &cobra.Command{
		Use:   "serve [flags] [FOLDER|FILE.c]",
		Short: "the page, locally: write a loop, see where its data go",
		Long: "serve prints the address of a page for browsers of this machine: the source on the left, on the right what foresee predicts of it, anew with\n" +
			"each change of the source, the sizes, the threads or the machine. It offers the sources of a folder (default: where it is started) and\n" +
			"reads headers there and nowhere else; it writes nothing. Signatures, recordings, traces, machine files and results of scale and replay\n" +
			"can be dropped onto the page. The address holds a token, without which nothing is answered. Ctrl-C ends it.",
		Example: "  foresee serve\n  foresee serve src/gemm.c\n  foresee serve --listen 127.0.0.1:8080 ~/project",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return cli.Usagef("serve takes one folder or C file")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return v.serve(cmd.Context(), s, args) },
	}
	f := cmd.Flags()
	f.StringVar(&v.listen, "listen", "127.0.0.1:0", "`ADDRESS:PORT` to listen on; port 0: any that is free. Others than this machine reach an address that is not of the loopback")
	f.StringArrayVar(&v.hosts, "allow-host", nil, "a `NAME` that browsers may call this server by, beside localhost and addresses of the loopback, repeatable; for an address given with --listen that others reach")
	f.StringVar(&v.compiler, "cc", "", "offer times of the code that this `COMPILER` makes with its flags, such as 'gcc -O3 -march=native'; it reads headers wherever a source names them, also outside the folder")
	f.DurationVar(&v.longest, "longest", server.Longest, "how long one analysis may take: a `DURATION` such as 30s")
	v.files.Add(f)
	return cmd
}

// serve serves until a signal ends it.
func (v *serving) serve(ctx context.Context, s *cli.Streams, args []string) error {
	said, err := v.files.Said(cli.HostName)
	if err != nil {
		return err
	}
	folder, open, err := servedFolder(args)
	if err != nil {
		return err
	}
	defer folder.Close()
	if v.longest <= 0 {
		return cli.Usagef("--longest %v: give a time above 0, such as 30s", v.longest)
	}
	compiler := strings.Fields(v.compiler)
	if len(compiler) > 0 {
		if _, err := exec.LookPath(compiler[0]); err != nil {
			return fmt.Errorf("--cc %s: there is no such program; install it, or leave --cc out", compiler[0])
		}
	}
	host, err := v.check(s)
	if err != nil {
		return err
	}
	e := &engine.Engine{Remedy: remedy.Of, Say: remedy.Here, Compiler: compiler, Folder: folder.Name()}
	local := func() (*machine.Machine, error) { return cli.LoadMachine(cli.HostName, said) }
	if _, err := local(); err == nil { // else the page offers machines of the library alone
		e.Host = local
	}
	served, err := server.New(server.Options{Engine: e, Folder: folder.FS(), Open: open, Hosts: append(v.hosts, host), Longest: v.longest})
	if err != nil {
		return err
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", v.listen)
	if err != nil {
		return fmt.Errorf("--listen %s: %w", v.listen, err)
	}
	return served.Serve(ctx, l, func(address string) {
		fmt.Fprintln(s.Out, address)
		fmt.Fprintln(s.Err, "foresee: open this address in a browser; ctrl-C ends")
	})
}

// check reads --listen, and says it where others than this machine can come.
func (v *serving) check(s *cli.Streams) (host string, err error) {
	host, _, err = net.SplitHostPort(v.listen)
	if err != nil {
		return "", cli.Usagef("--listen %q: give an address and a port, such as 127.0.0.1:8080", v.listen)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		cli.Warn(s.Err, "whoever reaches %s and knows the address below can have sources analysed and read those of the folder; it is not encrypted", cmp.Or(host, "this machine"))
	}
	return host, nil
}

// servedFolder is the folder whose sources are offered, and the one that the page begins with.
func servedFolder(args []string) (folder *os.Root, open string, err error) {
	path := "."
	if len(args) == 1 {
		path = args[0]
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, "", fmt.Errorf("%s: %w", path, cli.Cause(err))
	case info.Mode().IsRegular() && strings.EqualFold(filepath.Ext(path), ".c"):
		path, open = filepath.Dir(path), filepath.Base(path)
	case !info.IsDir():
		return nil, "", cli.Usagef("%s is no folder and no C file", path)
	}
	folder, err = os.OpenRoot(path)
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", path, cli.Cause(err))
	}
	return folder, open, nil
}
