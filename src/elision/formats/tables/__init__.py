"""Tables of notes: CSV, TSV, JSON Lines, Parquet and databases; and documents, as rows like theirs."""
