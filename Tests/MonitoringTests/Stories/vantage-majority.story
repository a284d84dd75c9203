# Two of three vantage points see the target down. The third one's round trip is told, and the dispute is counted.
target Shop quorum=majority stale_after=10m hook=down hook=up
report Shop fra=11ms nyc=87ms sin=12ms
verdict Shop
wait 1m
report Shop fra=down nyc=88ms sin=12ms
verdict Shop
wait 30s
report Shop fra=down nyc=down sin=12ms
verdict Shop
wait 3m
report Shop fra=down nyc=down sin=12ms
verdict Shop
show Shop
report Shop fra=12ms
verdict Shop
wait 1s
report Shop fra=12ms nyc=90ms sin=13ms
verdict Shop
