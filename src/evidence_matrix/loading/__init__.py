"""From the files of the record to its objects, with the faults on the way."""
