"""Runs in Presidio's own environment: sentences by the generator with which Presidio evaluates itself.

python presidio_sentences.py OUT NUMBER SEED
"""

from __future__ import annotations

import importlib.metadata
import json
import sys
from pathlib import Path

from presidio_evaluator.data_generator import PresidioSentenceFaker


def main() -> None:
    target, number, seed = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    faker = PresidioSentenceFaker(locale="en_US", lower_case_ratio=0.05, random_seed=seed)
    made = faker.generate_new_fake_sentences(num_samples=number)
    answer = {
        "version": f"presidio-evaluator {importlib.metadata.version('presidio-evaluator')}",
        "sentences": [
            [each.full_text, [(span.start_position, span.end_position, span.entity_type) for span in each.spans]]
            for each in made
        ],
    }
    target.write_text(json.dumps(answer), "utf-8")


if __name__ == "__main__":
    main()
