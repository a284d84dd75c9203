# The same quorum decides whether a target is degraded. A target that is down for some counts there too.
target Shop quorum=majority stale_after=10m
report Shop fra=12ms nyc=87ms sin=190ms gru=degraded:911ms
verdict Shop
wait 15s
report Shop sin=degraded:870ms nyc=down:HTTP_503
wait 4m
verdict Shop
report Shop nyc=87ms sin=200ms
verdict Shop
