#!/usr/bin/env bash
# Reruns the experiments of docs/laboratory.md, the genetic algorithms apart.
#
#   training/laboratory.sh FOLDER
#
# Every experiment leaves a table (.txt), JSON, comma-separated values and, where it has curves, a drawing (.svg) in
# FOLDER. What is done is not done again: the same command goes on after a break. OLLEHTO names the program, JOBS the
# number of processors to use. All but `timed` and the milliseconds of `speed` follows from seeds alone.
set -euo pipefail
folder=${1:?usage: training/laboratory.sh FOLDER}
ollehto=${OLLEHTO:-ollehto} jobs=${JOBS:-$(nproc)}
mkdir -p "$folder"

# experiment NAME ARGUMENTS...: runs `ollehto lab ARGUMENTS...` unless its table is there.
experiment() {
    local base=$folder/$1 began=$SECONDS
    shift
    [[ -e $base.txt ]] && return
    # A run that is over has no work to share out.
    [[ $1 == generations ]] || set -- "$@" --jobs "$jobs"
    "$ollehto" lab "$@" --json "$base.json" --csv "$base.csv" --svg "$base.svg" --force >"$base.part"
    mv "$base.part" "$base.txt"
    printf '%s: %d s\n' "$(basename "$base")" $((SECONDS - began)) | tee -a "$folder/seconds.txt"
}

experiment breadth breadth --games 100000 --strong 1000 --depth 4
experiment features features --pairs 200 --depth 3
experiment features-deep features --pairs 50 --depth 5
experiment tree tree --depths 2,4,6,8 --discs 4,15,25,35,45,55 --positions 10
experiment tree-shipped tree --evaluation shipped --depths 2,4,6 --discs 4,15,25,35,45,55 --positions 10
experiment colour colour --games 600 --depth 6
experiment win-rate win-rate --pairs 5000
experiment speed speed --depth 6 --positions 100 --games 50
experiment generations generations "$(dirname "$0")/tune/found/ga-minimax.csv"
for rules in reversed standard; do
    # With 16 empty squares a tree of depth 2 takes about a second to solve.
    for size in 12:200 16:60; do
        empties=${size%:*} positions=${size#*:}
        "$ollehto" lab loss make --rules "$rules" --empties "$empties" --positions "$positions" --jobs "$jobs" \
            --out "$folder/$rules-$empties.loss"
        experiment "loss-$rules-$empties" loss report "$folder/$rules-$empties.loss" --plies 3
        experiment "worth-$rules-$empties" loss worth "$folder/$rules-$empties.loss"
    done
    experiment "depth-$rules" depth --rules "$rules" --nodes 100000 --positions 20 --pairs 40
    experiment "measures-$rules" measures "$folder/$rules-12.loss" --pairs 20 --match-pairs 20 --random-pairs 250
done
experiment timed depth --time 5 --discs 8,14,20,26,32,38,44,50,56,62 --positions 6 --pairs 1
