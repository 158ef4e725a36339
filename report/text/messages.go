package text

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"foresee/report"
)

// mostRanks is how many ranks the table shows; the other forms have all.
const mostRanks = 8

// Messages shows what the ranks did: functions by time, where the time went, who sends to whom.
func Messages(w io.Writer, m *report.MessagesResult, o Options) error {
	text := fmt.Sprintf("%s, %s\n\n", report.Plural(len(m.Ranks), "rank"), m.Library)
	t := &table{left: map[int]bool{0: true}}
	t.row("function", "calls", "bytes", "mean of a rank", "most of a rank", "share of time")
	for _, f := range m.Functions {
		t.row(f.Name, amountText(f.Calls), bytesText(f.Bytes), report.Seconds(f.MeanS), report.Seconds(f.MaxS), report.Percent(f.Share))
	}
	text += t.String() + "\n" + balanceText(m.Balance) + "\n" + ranksText(m.Ranks, o)
	_, err := io.WriteString(w, text)
	return err
}

// balanceText is the table of where the time went.
func balanceText(b report.MPIBalance) string {
	t := &table{left: map[int]bool{0: true}}
	t.row("time", "mean of a rank", "most of a rank")
	t.row("from MPI_Init to MPI_Finalize", report.Seconds(b.WallMeanS), report.Seconds(b.WallMaxS))
	t.row("in MPI", report.Seconds(b.MPIMeanS), report.Seconds(b.MPIMaxS))
	t.row("outside MPI (compute)", report.Seconds(b.ComputeMeanS), report.Seconds(b.ComputeMaxS))
	return t.String() + fmt.Sprintf("load balance: the slowest rank computes %s times the mean\n", report.Significant(b.Imbalance, 3))
}

// ranksText shows the ranks that compute longest, and for each the peer that it sends most to.
func ranksText(ranks []report.MPIRank, o Options) string {
	shown := slices.Clone(ranks)
	slices.SortStableFunc(shown, func(a, b report.MPIRank) int {
		switch {
		case a.ComputeS > b.ComputeS:
			return -1
		case a.ComputeS < b.ComputeS:
			return 1
		}
		return 0
	})
	rest := len(shown) - mostRanks
	shown = shown[:min(len(shown), mostRanks)]
	t := &table{left: map[int]bool{}}
	t.row("rank", "outside MPI", "in MPI", "peers", "messages", "bytes", "most to", "bytes to it")
	for _, r := range shown {
		messages, bytes, most := sent(r.Peers)
		to, toBytes := "–", "–"
		if most != nil {
			to, toBytes = strconv.Itoa(most.Rank), bytesText(most.Bytes)
		}
		t.row(strconv.Itoa(r.Rank), report.Seconds(r.ComputeS), report.Seconds(r.MPIS), strconv.Itoa(len(r.Peers)), amountText(messages), bytesText(bytes), to, toBytes)
	}
	text := t.String()
	if rest > 0 {
		text += fmt.Sprintf("%d more ranks compute less%s\n", rest, o.more())
	}
	return text
}

// sent sums up the messages of a rank, and gives the first of the peers with most bytes.
func sent(peers []report.MPIPeer) (messages, bytes float64, most *report.MPIPeer) {
	for i, p := range peers {
		messages += p.Messages
		bytes += p.Bytes
		if most == nil || p.Bytes > most.Bytes {
			most = &peers[i]
		}
	}
	return messages, bytes, most
}

func amountText(v float64) string {
	if v >= math.MaxInt64 {
		return strconv.FormatFloat(v, 'g', 6, 64)
	}
	return report.Count(int64(math.Round(v)))
}

func bytesText(v float64) string {
	if v >= math.MaxInt64 {
		return strconv.FormatFloat(v, 'g', 6, 64)
	}
	return report.Bytes(int64(math.Round(v)))
}

// MessagesCSV writes one line for each function, communicator size and size class, for the times of each rank, and for
// each of its peers;
// what a line has no value for is empty.
func MessagesCSV(w io.Writer, m *report.MessagesResult) error {
	records := [][]string{{"kind", "name", "processes", "size_class", "rank", "peer", "calls", "bytes", "seconds", "min_s", "max_s"}}
	for _, f := range m.Calls {
		records = append(records, []string{
			"call", f.Name, strconv.Itoa(f.Processes), strconv.Itoa(f.SizeClass), "", "",
			plain(f.Calls), plain(f.Bytes), plain(f.Seconds), plain(f.MinSeconds), plain(f.MaxSeconds),
		})
	}
	for _, r := range m.Ranks {
		rank := strconv.Itoa(r.Rank)
		for _, one := range []struct {
			kind    string
			seconds float64
		}{{"wall", r.WallS}, {"cpu", r.CPUS}, {"mpi", r.MPIS}, {"compute", r.ComputeS}} {
			records = append(records, []string{one.kind, "", "", "", rank, "", "", "", plain(one.seconds), "", ""})
		}
		for _, p := range r.Peers {
			records = append(records, []string{"peer", "", "", "", rank, strconv.Itoa(p.Rank), plain(p.Messages), plain(p.Bytes), "", "", ""})
		}
	}
	return writeCSV(w, records)
}

func plain(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
