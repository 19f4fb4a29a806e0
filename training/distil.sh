#!/usr/bin/env bash
# Learns the weights that ship, with their hidden layer, from those of the generations: games, a teacher, a student.
#
#   training/distil.sh RULES BEGIN FOLDER
#
# BEGIN are the weights that play the games (`training/generations.sh`, then `training/late.sh` or `training/stray.sh`);
# the new ones are FOLDER/RULES.weights. Needs PyTorch, and a GPU unless you have days. What is done is not done again:
# the same command goes on after a break. OLLEHTO names the program, THREADS the number of processors to use.
set -euo pipefail
if [ $# -ne 3 ]; then
    echo "usage: $0 RULES BEGIN FOLDER" >&2
    exit 2
fi
rules=$1 begin=$2 folder=$3
ollehto=${OLLEHTO:-ollehto} threads=${THREADS:-$(nproc)}
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$folder"
case $rules in
reversed) teaching=230000 seed=11 more=8100 ;;
standard) teaching=300000 seed=13 more=8200 ;;
*) echo "$0: rules are reversed or standard, not '$rules'" >&2 && exit 2 ;;
esac
play() {
    local name=$1
    shift
    "$ollehto" selfplay --rules "$rules" --weights "$begin" --threads "$threads" --output "$folder/$name.olg" "$@"
}

# Good games, for the teacher.
play teaching --games $teaching --depth 6 --exact 14 --random 6..24 --detours 1 --seed $seed
[[ -e $folder/teacher.pt ]] ||
    python3 "$here/teacher.py" fit "$folder/teaching.olg" --rules "$rules" --minutes 3.3 --output "$folder/teacher.pt"

# Many positions, for the student: the teacher values them.
play deeper --games 400000 --depth 4 --exact 12 --random 6..24 --detours 1 --seed $more
play wider --games 600000 --depth 2 --exact 10 --random 4..30 --detours 1 --seed $((more + 1))
play ends --games 300000 --depth 2 --exact 14 --random 8..30 --noise-before-solve --seed $((more + 2))
[[ -e $folder/$rules.weights ]] ||
    python3 "$here/student.py" "$folder"/{deeper,wider,ends}.olg --rules "$rules" --teacher "$folder/teacher.pt" \
        --most 30000000 --epochs 7 --output "$folder/$rules.weights"
