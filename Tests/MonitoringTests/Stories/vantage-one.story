# With one vantage point, its word is the verdict.
target Shop quorum=majority stale_after=1m
report Shop fra=20ms
verdict Shop
wait 10s
report Shop fra=down:timeout
wait 10s
verdict Shop
wait 1m
verdict Shop
