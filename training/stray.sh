#!/usr/bin/env bash
# Learns the ends of a game again, up to 17 empty squares, from positions that a solver meets: behind moves drawn at
# random. What few of them speak for stays as it was, and so do the stages before.
#
#   training/stray.sh RULES WEIGHTS FOLDER
#
# WEIGHTS are those to begin with; the new ones are FOLDER/stray.weights. Everything goes on after a break. OLLEHTO names
# the program, THREADS the number of processors to use.
set -euo pipefail
rules=$1 begin=$2 folder=$3
ollehto=${OLLEHTO:-ollehto} threads=${THREADS:-$(nproc)}
mkdir -p "$folder"
files=()
while read -r exact games; do
    file=$folder/stray-$exact.olg
    "$ollehto" selfplay --rules "$rules" --noise-before-solve --games "$games" --depth 2 --exact "$exact" --random 8..20 \
        --seed "60$exact" --threads "$threads" --weights "$begin" --output "$file"
    files+=("$file")
done <<'END'
12 900032
13 600000
14 550016
15 250048
16 220032
END
[[ -e $folder/stray.weights ]] ||
    "$ollehto" train "${files[@]}" --rules "$rules" --begin "$begin" --threads "$threads" --output "$folder/stray.weights"
