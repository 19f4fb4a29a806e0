#!/usr/bin/env bash
# Learns the weights that ship, with their hidden layer, from those of the generations: games, a teacher, a student;
# twice more with games of the student before; then the correction of what being to move is worth.
#
#   training/distil.sh RULES BEGIN FOLDER
#
# BEGIN are the weights that play the first games (`training/generations.sh`, then `training/late.sh` or
# `training/stray.sh`); the new ones are FOLDER/RULES.weights. ROUND=3 does the last round alone: BEGIN then have a
# hidden layer, such as those that ship. Needs PyTorch, and a GPU unless you have days. What is done is not done again:
# the same command goes on after a break. OLLEHTO names the program, THREADS the number of processors to use; SCALE=1000
# does everything with a thousandth of the games, to try the script.
set -euo pipefail
if [ $# -ne 3 ]; then
    echo "usage: $0 RULES BEGIN FOLDER" >&2
    exit 2
fi
rules=$1 begin=$2 folder=$3
ollehto=${OLLEHTO:-ollehto} threads=${THREADS:-$(nproc)} scale=${SCALE:-1}
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$folder"
case $rules in
reversed) first_seed=11 teaching=230000 ;;
standard) first_seed=13 teaching=300000 ;;
*) echo "$0: rules are reversed or standard, not '$rules'" >&2 && exit 2 ;;
esac

seed=$first_seed records=()

# NAME GAMES DEPTH EXACT RANDOM OPTION...: games by $begin, added to the records.
play() {
    local name=$1 games=$(($2 / scale)) depth=$3 exact=$4 random=$5
    shift 5
    seed=$((seed + 10))
    "$ollehto" selfplay --rules "$rules" --weights "$begin" --threads "$threads" --games "$games" --depth "$depth" \
        --exact "$exact" --random "$random" --seed "$seed" --output "$folder/$name.olg" "$@"
    records+=("$folder/$name.olg")
}

# NAME GAMES EXACT...: games that go wrong just before they are solved.
play_ends() {
    local name=$1 games=$2 exact
    shift 2
    for exact; do
        play "$name-$exact" "$games" 2 "$exact" 8..30 --noise-before-solve
    done
}

# ROUND SECONDS OPTION...: a teacher from the records.
teach() {
    local round=$1 seconds=$(($2 / scale + 1))
    shift 2
    [[ -e $folder/$round.pt ]] || python3 "$here/teacher.py" fit "${records[@]}" --rules "$rules" \
        --minutes "$(awk "BEGIN { print $seconds / 60 }")" --output "$folder/$round.pt" "$@"
}

# ROUND OPTION...: a student of its teacher, by the positions of the records.
learn() {
    local round=$1
    shift
    [[ -e $folder/$round.weights ]] || python3 "$here/student.py" "${records[@]}" --rules "$rules" \
        --teacher "$folder/$round.pt" --output "$folder/$round.weights" "$@"
}

# ROUND: values of all depths by its student correct it.
correct() {
    local round=$1
    "$ollehto" fit-probcut --rules "$rules" --weights "$folder/$round.weights" --positions $((300 / scale + 4)) \
        --depth $((scale > 1 ? 6 : 14)) --jobs "$threads" --samples "$folder/$round-samples.txt" \
        --output "$folder/$round-models.rs" --force
    [[ -e $folder/$round-corrected.weights ]] || python3 "$here/tempo.py" "$folder/$round.weights" \
        "$folder/$round-samples.txt" --output "$folder/$round-corrected.weights"
    begin=$folder/$round-corrected.weights
}

first_round() {
    play teaching $teaching 6 14 6..24 --detours 1
    teach first 200
    records=()
    play deeper 400000 4 12 6..24 --detours 1
    play wider 600000 2 10 4..30 --detours 1
    play ends 300000 2 14 8..30 --noise-before-solve
    learn first --most 30000000 --epochs 7
    begin=$folder/first.weights records=()
}

# The same again, by a better player, and with more of what happens near the end after mistakes.
second_round() {
    play slips 60000 6 10 6..24 --detours 2
    play teaching-2 130000 6 14 6..24 --detours 1
    play_ends ends 40000 16
    play_ends ends 70000 13 10 7
    teach second 150 --begin "$folder/first.pt" --rate 1.2e-3
    play deeper-2 330000 4 12 6..24 --detours 1
    play wider-2 700000 2 10 4..30 --detours 2
    play_ends ends 210000 14 12 9 6
    learn second --begin "$begin" --epochs 8 --weight-rate 0.012
    correct second
    records=()
}

# A teacher from nothing, which has seen no games but those of a player with a hidden layer, and more positions.
third_round() {
    seed=$((first_seed + 290))
    play slips-3 60000 6 10 6..24 --detours 2
    play teaching-3 180000 6 14 6..24 --detours 1
    play deeper-3 330000 4 12 6..24 --detours 1
    # As it was run: a seed serves two kinds of games here.
    seed=$((first_seed + 310))
    play_ends ends-3 40000 16
    play_ends ends-3 70000 13 10 7
    teach third 300
    play wider-3 900000 2 10 4..30 --detours 2
    play_ends ends-3 210000 14 12 9 6
    learn third --begin "$begin" --epochs 8 --weight-rate 0.012
    correct third
}

rounds=(first_round second_round third_round)
for round in "${rounds[@]:${ROUND:-1}-1}"; do
    "$round"
done
cp "$begin" "$folder/$rules.weights"
