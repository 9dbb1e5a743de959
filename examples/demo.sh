#!/bin/sh
# What elision does, on the example notes: a key, a run over a folder, before and after, the proof, the score. Usage: sh examples/demo.sh [path of the elision command]
set -eu
cd "$(dirname "$0")/.."
elision=${1:-elision}
rm -rf demo
mkdir demo

show() { printf '\n$ elision %s\n' "$*"; "$elision" "$@"; }

echo "Notes in four languages, every person in them invented."
show key new demo/project.key
show run examples/notes/gold --out demo/clean --policy surrogate --key demo/project.key --id id --text text --language-column language
for note in en/discharge-summary es/urgencias nl/verwijsbrief zh/chuyuan-xiaojie; do
  printf '\n--- before: %s\n' "$note"
  sed -n 1,9p "examples/notes/gold/$note.txt"
  printf '%s\n' '--- after'
  sed -n 1,9p "demo/clean/$note.txt"
done
show verify demo/clean.run/receipts.jsonl demo/clean --key demo/project.key
show deidentify examples/notes/gold/en/neurology-letter.txt --policy safe-harbor --out demo/letter.txt
sed -n 1,12p demo/letter.txt
printf '\nWhat was replaced, held, and how fast: %s/demo/clean.run/report.html\n' "$(pwd)"
