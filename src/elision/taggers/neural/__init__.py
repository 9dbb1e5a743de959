"""Neural taggers: learnt with torch (extra `train`), at work in numpy."""
