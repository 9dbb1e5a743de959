"""Detectors that are no models: what the record states, and what was found elsewhere in the patient's notes."""

from elision.detect.base import Detector
from elision.detect.known import Finder, KnownValues
from elision.detect.memory import by_patient, recall, remember, with_memory, worth_remembering

__all__ = ["Detector", "Finder", "KnownValues", "by_patient", "recall", "remember", "with_memory", "worth_remembering"]
