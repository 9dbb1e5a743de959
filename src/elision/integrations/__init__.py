"""elision in other libraries."""
