# A series that ends is not reported any more, though its vantage point reports on other targets.
target Shop quorum=majority stale_after=1m
report Shop fra=down nyc=80ms
verdict Shop
report Shop fra=gone
verdict Shop
reporting fra nyc
verdict Shop
wait 30s
report Shop fra=12ms
verdict Shop
