#!/usr/bin/env bash
# Learns the evaluation of a rule set from nothing, generation by generation.
#
#   training/generations.sh RULES FOLDER < training/RULES.plan
#
# Each line of the plan is one generation: its number, games, depth, exact threshold, how many of the latest files of
# games to learn from, and pairs of the match that accepts it. Generation 0 plays by the hand-made evaluation; each later
# one by the weights of the last that was accepted. Weights are accepted if they win the match against those before
# them. All files stay in FOLDER and what is done is not done again, so the same command goes on after a break.
# OLLEHTO names the program, THREADS the number of processors to use.
set -euo pipefail
rules=$1 folder=$2
ollehto=${OLLEHTO:-ollehto} threads=${THREADS:-$(nproc)}
mkdir -p "$folder"
history=$folder/history.tsv
[[ -e $history ]] || printf 'generation\tgames\tdepth\texact\tseconds\tmatch\taccepted\n' >"$history"
best=hand-made
while read -r generation games depth exact files pairs; do
    [[ $generation =~ ^[0-9]+$ ]] || continue
    records=$folder/$generation.olg weights=$folder/$generation.weights
    if ! grep -q "^$generation"$'\t' "$history"; then
        began=$SECONDS
        "$ollehto" selfplay --rules "$rules" --games "$games" --depth "$depth" --exact "$exact" --random 6..50 \
            --seed $((1000 + generation)) --threads "$threads" --weights "$best" --output "$records" \
            2>"$folder/$generation.selfplay.log"
        mapfile -t latest < <(ls -v "$folder"/*.olg | tail -n "$files")
        begin=()
        [[ $best == hand-made ]] || begin=(--begin "$best")
        "$ollehto" train "${latest[@]}" --rules "$rules" --output "$weights" --threads "$threads" "${begin[@]}" \
            >"$folder/$generation.train.txt"
        rm -f "$folder/$generation.match"
        "$ollehto" match --rules "$rules" --player "ollehto,depth=6,weights=$weights,name=new" \
            --player "ollehto,depth=6,weights=$best,name=old" --pairs "$pairs" --jobs "$threads" \
            --journal "$folder/$generation.match" >"$folder/$generation.match.txt"
        score=$(grep -m1 '^new ' "$folder/$generation.match.txt" || true)
        accepted=$(python3 "$(dirname "$0")/accept.py" "$folder/$generation.match.txt")
        printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$generation" "$games" "$depth" "$exact" $((SECONDS - began)) \
            "$score" "$accepted" >>"$history"
    fi
    if grep -q "^$generation"$'\t.*\tyes$' "$history"; then best=$weights; fi
    tail -n 1 "$history"
done
cp "$best" "$folder/best.weights"
