"""Evidence Matrix: claims about how language models were trained, with labels that are earned."""
