"""The evidence that it worked: receipts, their verification, and what can be opened again."""
