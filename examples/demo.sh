#!/bin/sh
# What elision does today, on the example notes: convert, score, report, learn, tag. Usage: sh examples/demo.sh [path of the elision command]
set -eu
cd "$(dirname "$0")/.."
elision=${1:-elision}
rm -rf demo
mkdir demo

show() { printf '\n$ elision %s\n' "$*"; "$elision" "$@"; }

echo "Notes in four languages, every person in them invented:"
sed -n 1,12p examples/notes/gold/en/discharge-summary.txt
show convert examples/notes/gold demo/notes.jsonl --to jsonl
show convert demo/notes.jsonl demo/i2b2 --to i2b2-2014 --labels canonical:i2b2-2014
show score examples/notes/gold examples/notes/system --html demo/report.html --json demo/scores.json
show train examples/notes/gold --out demo/model
show tag demo/model examples/notes/gold/nl demo/tagged.jsonl
printf '\nThe report with every error in its context: %s/demo/report.html\n' "$(pwd)"
