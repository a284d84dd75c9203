# A sample that is stale on arrival judges nothing; an old sample does not replace a newer one.
target Shop quorum=majority stale_after=1m
report Shop 2m fra=down nyc=down
verdict Shop
report Shop 30s fra=12ms
report Shop 40s fra=down
verdict Shop
wait 20s
verdict Shop
wait 10s
verdict Shop
