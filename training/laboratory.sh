#!/usr/bin/env bash
# Reruns the experiments of docs/laboratory.md, the genetic algorithms apart.
#
#   training/laboratory.sh FOLDER
#
# Every experiment leaves a table (.txt), JSON, comma-separated values and, where it has curves, a drawing (.svg) in
# FOLDER. What is done is not done again: the same command goes on after a break. OLLEHTO names the program, JOBS the
# number of processors to use. All but `timed` follows from seeds alone.
set -euo pipefail
folder=${1:?usage: training/laboratory.sh FOLDER}
ollehto=${OLLEHTO:-ollehto} jobs=${JOBS:-$(nproc)}
mkdir -p "$folder"

# experiment NAME ARGUMENTS...: runs `ollehto lab ARGUMENTS...` unless its table is there.
experiment() {
    local base=$folder/$1 began=$SECONDS
    shift
    [[ -e $base.txt ]] && return
    "$ollehto" lab "$@" --jobs "$jobs" --json "$base.json" --csv "$base.csv" --svg "$base.svg" >"$base.part"
    mv "$base.part" "$base.txt"
    printf '%s: %d s\n' "$(basename "$base")" $((SECONDS - began)) | tee -a "$folder/seconds.txt"
}

for rules in reversed standard; do
    for empties in 12 18; do
        "$ollehto" lab loss make --rules "$rules" --empties "$empties" --positions 200 --jobs "$jobs" \
            --out "$folder/$rules-$empties.loss"
        experiment "loss-$rules-$empties" loss report "$folder/$rules-$empties.loss" --plies 3
        experiment "worth-$rules-$empties" loss worth "$folder/$rules-$empties.loss"
    done
done
experiment breadth breadth --games 100000 --strong 1000 --depth 4
experiment tree tree --depths 2,4,6,8 --positions 40
experiment tree-shipped tree --evaluation shipped --depths 4,6,8 --discs 10,20,25,30,40,50 --positions 20
experiment features features --pairs 200 --depth 3
experiment features-deep features --pairs 50 --depth 5
experiment colour colour --games 3000 --depth 6
for rules in reversed standard; do
    experiment "depth-$rules" depth --rules "$rules" --nodes 400000 --positions 50 --pairs 100
    experiment "measures-$rules" measures "$folder/$rules-18.loss" --pairs 25 --match-pairs 25 --random-pairs 200
done
experiment timed depth --time 1 --positions 10 --pairs 1
