# With every report stale there is no verdict; the next report gives one.
target Shop quorum=majority stale_after=1m hook=down hook=fault hook=change
report Shop fra=down nyc=down sin=9ms
wait 59s
verdict Shop
wait 1s
verdict Shop
show Shop
wait 5m
verdict Shop
report Shop fra=12ms
verdict Shop
wait 30s
report Shop fra=12ms nyc=80ms sin=9ms
verdict Shop
