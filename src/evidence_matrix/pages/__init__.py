"""What a page is made of: words about a claim, links, tables."""
