"""What comparing a claim with the bytes of its source takes: documents, places, readers."""
