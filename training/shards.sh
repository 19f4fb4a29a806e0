#!/usr/bin/env bash
# Plays games in shards, each a process of its own under GNU parallel, and puts their files together.
#
#   training/shards.sh 4 games.olg --games 100000 --depth 6 --exact 14
#
# The rest of the line goes to `ollehto selfplay`. Run again after a kill it goes on where it was. OLLEHTO names the
# program, JOBS how many shards are played at a time (as many as there are processors). An OUTPUT that exists is replaced
# only with FORCE=1.
set -euo pipefail

if [ $# -lt 3 ]; then
    echo "usage: $0 SHARDS OUTPUT --games N [options of ollehto selfplay]" >&2
    exit 2
fi
shards=$1 output=$2
shift 2
ollehto=${OLLEHTO:-ollehto}
if [ -e "$output" ] && [ "${FORCE:-}" != 1 ]; then
    echo "$output exists already: name another file, or replace it with FORCE=1" >&2
    exit 1
fi

parts=()
for shard in $(seq "$shards"); do parts+=("$output.$shard-of-$shards"); done

parallel --will-cite --quote --line-buffer --tagstring 'shard {}' --jobs "${JOBS:-100%}" --halt soon,fail=1 \
    "$ollehto" selfplay --threads 1 --shard "{}/$shards" --output "$output.{}-of-$shards" "$@" ::: $(seq "$shards")

# Under another name first: what is called OUTPUT is whole.
cat "${parts[@]}" >"$output.new"
"$ollehto" records "$output.new"
mv "$output.new" "$output"
