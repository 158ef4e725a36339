#!/usr/bin/env bash
# private-slurm.sh DIR NODES PORT
#
# Starts a Slurm of its own in DIR, of NODES nodes with one core each, all on this machine and on its loopback alone, as the calling user, and
# prints its configuration. scontrol shutdown ends it. Without authentication: it is for tests.
set -eu
dir=$1 nodes=$2 port=$3
mkdir -p "$dir/state" "$dir/log"
for i in $(seq "$nodes"); do mkdir -p "$dir/spool/n$i"; done
host=$(hostname -s)
cat >"$dir/slurm.conf" <<CONF
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/none
CredType=cred/none
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool/%n
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd-%n.pid
SlurmctldLogFile=$dir/log/slurmctld.log
SlurmdLogFile=$dir/log/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SwitchType=switch/none
MpiDefault=none
MailProg=/bin/true
ReturnToService=2
SlurmdTimeout=5
SchedulerParameters=batch_sched_delay=0,bf_interval=1,default_queue_depth=1000
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
NodeName=n[1-$nodes] NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 1))-$((port + nodes)) CPUs=1 State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
export SLURM_CONF=$dir/slurm.conf
slurmctld -c
for i in $(seq "$nodes"); do slurmd -N "n$i"; done
for _ in $(seq 300); do
    if [ "$(sinfo -h -N -o %T 2>/dev/null | grep -c idle)" = "$nodes" ]; then
        echo "$SLURM_CONF"
        exit
    fi
    sleep 0.1
done
echo "no node came up; see $dir/log" >&2
exit 1
