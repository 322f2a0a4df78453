# For test scripts to source: a daemon of their own, on a free loopback port and a fresh folder.
#
#   . "$srcdir/tests/server/daemon.sh"
#   daemon_start [OPTION...]   sets url, data, pid; waits until it serves
#   daemon_stop                SIGTERM, and its exit status in daemon_status
#
# Whatever happens, the daemon and its folder end with the script.

srcdir=${srcdir:-.}
daemon_folder=$(mktemp -d)
data=$daemon_folder/data
pid=

daemon_start() {
    rm -f "$daemon_folder/out" # of one before it
    : >"$daemon_folder/out"
    ./landscaped --listen 127.0.0.1:0 --data "$data" "$@" \
        >"$daemon_folder/out" 2>>"$daemon_folder/log" &
    pid=$!
    for _ in $(seq 600); do
        url=$(sed -n 's/^landscaped listening on //p' "$daemon_folder/out")
        [ -n "$url" ] && return 0
        kill -0 "$pid" 2>/dev/null || break
        sleep 0.05
    done
    echo "the daemon did not start:" >&2
    cat "$daemon_folder/log" >&2
    exit 99
}

daemon_stop() {
    kill -TERM "$pid"
    daemon_status=0
    wait "$pid" || daemon_status=$?
    pid=
}

daemon_end() {
    [ -n "$pid" ] && kill -KILL "$pid" 2>/dev/null
    rm -rf "$daemon_folder"
}
trap daemon_end EXIT
