#!/bin/sh
# Posts a job, shows how far it is, and fetches what it has made:
#
#   deploy/batch.sh http://127.0.0.1:8080 job.json folder
#   echo '{"kind":"tiles","landscape":"hills","set":"terrain-rgb"}' | deploy/batch.sh URL - folder
#
# With a token: TOKEN=… in the environment. Needs curl alone. Ends with 0 when the job is done, none
# of its views came to nothing, and all is fetched; what is not is said. Interrupted, it cancels the
# job; what that had finished by then stays on the server.
set -eu

[ $# -eq 3 ] || { sed -n '2,9s/^# \{0,1\}//p' "$0"; exit 2; }
url=$1
body=$2
folder=$3

ask() {
    if [ -n "${TOKEN:-}" ]; then
        curl -sS -H "Authorization: Bearer $TOKEN" "$@"
    else
        curl -sS "$@"
    fi
}

# The value of a member without quotes or commas in it.
member() {
    printf '%s' "$2" | tr ',{}' '\n\n\n' | sed -n "s/^\"$1\":\"\{0,1\}\([^\"]*\)\"\{0,1\}\$/\1/p" | head -n 1
}

answer=$(ask "$url/v1/jobs" -H 'Content-Type: application/json' --data-binary "@$body")
id=$(member id "$answer")
[ -n "$id" ] || { printf '%s\n' "$answer" >&2; exit 1; }

cancel() {
    trap '' INT TERM
    kill "$shown" 2>/dev/null || true
    ask -o /dev/null -X DELETE "$url/v1/jobs/$id" || true
    printf '\ncancelled; what was finished: %s/v1/jobs/%s/results\n' "$url" "$id" >&2
    exit 130
}
shown=
trap cancel INT TERM

# Each line of data is a step; the last one says how it ended.
ask -N "$url/v1/jobs/$id/events" | awk '
    /^event: / { event = $2 }
    /^data: / && event != "result" {
        progress = $0; sub(/.*"progress":/, "", progress); progress += 0
        state = $0; sub(/.*"state":"/, "", state); sub(/".*/, "", state)
        bar = sprintf("%*s", int(progress * 40), ""); gsub(/ /, "#", bar)
        pace = ""
        if (event != "done" && match($0, /"rate":[0-9.e+-]*/)) {
            rate = substr($0, RSTART + 7, RLENGTH - 7)
            left = $0; sub(/.*"seconds_left":/, "", left)
            pace = sprintf(", %.3g/s, %d s left", rate, left + 0.5)
        }
        printf "\r%s [%-40s] %3d %% %s%-30s", id, bar, int(progress * 100), state, pace > "/dev/stderr"
    }
    event == "done" && /^data: / { ended = 1; print "" > "/dev/stderr"; exit state == "done" ? 0 : 1 }
    END { if (!ended) exit 1 }
' id="$id" &
shown=$!
wait "$shown" || { member detail "$(ask "$url/v1/jobs/$id")" >&2; exit 1; }

trap - INT TERM
mkdir -p "$folder"
from=0
failures=$(member failed "$(ask "$url/v1/jobs/$id")")
while [ -n "$from" ] && [ "$from" != null ]; do
    answer=$(ask "$url/v1/jobs/$id/results?limit=1000&from=$from")
    printf '%s' "$answer" | tr '{}' '\n\n' |
        sed -n 's/.*"name":"\([^"]*\)".*"href":"\([^"]*\)","error":null.*/\1 \2/p' |
        while read -r name href; do
            mkdir -p "$folder/$(dirname "$name")"
            ask -f -o "$folder/$name.part" "$url$href" && mv "$folder/$name.part" "$folder/$name" ||
                { printf 'not fetched: %s\n' "$url$href" >&2; exit 1; }
            printf '%s\n' "$folder/$name"
        done || exit 1
    from=$(member next "$answer")
done
[ "${failures:-0}" = 0 ] || { printf '%s came to nothing: see %s\n' "$failures" "$url/v1/jobs/$id" >&2; exit 1; }
