"""The linear engine: features as data, learning, scores from tables, chains of labels."""
