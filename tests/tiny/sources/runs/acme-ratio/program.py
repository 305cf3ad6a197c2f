print("{\"ratio\": 1.8}")
