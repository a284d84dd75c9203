# What was said holds as long as its vantage point reports; one that returns needs no new report.
target Shop quorum=majority stale_after=1m
report Shop fra=12ms nyc=80ms
wait 50s
reporting fra nyc
wait 50s
verdict Shop
reporting fra
wait 50s
verdict Shop
reporting fra
wait 1m
verdict Shop
reporting nyc
verdict Shop
reporting fra nyc
verdict Shop
