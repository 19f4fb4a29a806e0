#!/usr/bin/env bash
# Learns the evaluation of a rule set from nothing, generation by generation.
#
#   training/generations.sh RULES FOLDER < training/RULES.plan
#
# Each line of the plan is one generation: its number, games, depth, exact threshold, range of random moves, from how
# many of the latest generations' games to learn more than the ends, and pairs of the match that accepts it. A generation plays by the weights
# of the last that was accepted, the first by chance alone until the end can be solved. New weights are accepted if the
# whole 95 % interval of their match against those before them lies above zero. All files stay in FOLDER and what is
# done is not done again: the same command goes on after a break. OLLEHTO names the program, THREADS the number of
# processors to use.
set -euo pipefail
rules=$1 folder=$2
ollehto=${OLLEHTO:-ollehto} threads=${THREADS:-$(nproc)}
mkdir -p "$folder"
history=$folder/history.tsv
[[ -e $history ]] || printf 'generation\tgames\tdepth\texact\tself-play s\ttrain s\tmatch s\tElo\taccepted\n' >"$history"
best=hand-made
while read -r generation games depth exact random files pairs; do
    [[ $generation =~ ^[0-9]+$ ]] || continue
    base=$folder/$generation
    if ! grep -q "^$generation"$'\t' "$history"; then
        t0=$SECONDS
        "$ollehto" selfplay --rules "$rules" --games "$games" --depth "$depth" --exact "$exact" --random "$random" \
            --seed $((1000 + generation)) --threads "$threads" --weights "$best" --output "$base.olg" \
            2>"$base.selfplay.txt"
        t1=$SECONDS
        mapfile -t all < <(ls -v "$folder"/*.olg)
        [[ -e $base.weights ]] ||
            "$ollehto" train "${all[@]}" --recent "$files" --rules "$rules" --output "$base.weights" --threads "$threads" >"$base.train.txt"
        t2=$SECONDS
        rm -f "$base.match.jsonl"
        "$ollehto" match --rules "$rules" --player "ollehto,depth=6,hash=4,weights=$base.weights,name=new" \
            --player "ollehto,depth=6,hash=4,weights=$best,name=old" --pairs "$pairs" --jobs "$threads" \
            --journal "$base.match.jsonl" >"$base.match.txt" 2>/dev/null
        elo=$(sed -n 's/^  Elo *//p' "$base.match.txt")
        accepted=no
        [[ $elo == *'%: +'* || $generation == 0 ]] && accepted=yes
        printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$generation" "$games" "$depth" "$exact" \
            $((t1 - t0)) $((t2 - t1)) $((SECONDS - t2)) "$elo" "$accepted" >>"$history"
    fi
    if grep -q "^$generation"$'\t.*\tyes$' "$history"; then best=$base.weights; fi
    tail -n 1 "$history"
    cp "$best" "$folder/best.weights" 2>/dev/null || true
done
