#!/usr/bin/env bash
# Learns the last stages of the reversed game, up to 11 empty squares, again: from more games, and from positions that
# good play avoids. The other stages stay as they are: the same data made those no better.
#
#   training/late.sh FOLDER
#
# FOLDER is that of the generations (`training/generations.sh`); what is needed are the games and the weights of
# generation 4. Everything goes on after a break. OLLEHTO names the program, THREADS the number of processors to use.
set -euo pipefail
folder=$1
ollehto=${OLLEHTO:-ollehto} threads=${THREADS:-$(nproc)}
play() {
    local name=$1
    shift
    "$ollehto" selfplay --rules reversed --random 6..50 --threads "$threads" --output "$folder/$name" "$@"
}
play astray-10.olg --play-for standard --games 700000 --depth 3 --exact 10 --seed 2006
play astray-12.olg --play-for standard --games 600000 --depth 2 --exact 12 --seed 2005
play 5.olg --games 578688 --depth 8 --exact 14 --seed 1005 --weights "$folder/4.weights"
[[ -e $folder/late.weights ]] ||
    "$ollehto" train "$folder"/astray-10.olg "$folder"/astray-12.olg "$folder"/4.olg "$folder"/5.olg --recent 2 \
        --rules reversed --threads "$threads" --output "$folder/late.weights"
for name in 4 late; do "$ollehto" weights convert "$folder/$name.weights" "$folder/$name.csv" --force; done
# The first column tells the empty squares of a stage, such as 10-11, or those of a ply.
{
    awk -F, '!($1 ~ /^[0-9]/ && $1 + 0 <= 11)' "$folder/4.csv"
    awk -F, '$1 ~ /^[0-9]/ && $1 + 0 <= 11' "$folder/late.csv"
} >"$folder/reversed.csv"
"$ollehto" weights convert "$folder/reversed.csv" "$folder/reversed.weights" --force
