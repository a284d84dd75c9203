# The same quorum decides whether a target is degraded. A target that is down for some counts there too.
target Shop quorum=majority stale_after=10m
report Shop fra=12ms nyc=87ms sin=190ms gru=degraded:911ms
  0s  Shop unknown→up
verdict Shop
  Shop: up; gru degraded for 0s (87ms)
wait 15s
report Shop sin=degraded:870ms nyc=down:HTTP_503
  15s  Shop up→degraded
wait 4m
verdict Shop
  Shop: degraded from 3 of 4: gru, nyc, sin for 4m00s; nyc disagrees: HTTP 503 for 4m00s (870ms), disputed
report Shop nyc=87ms sin=200ms
  4m15s  Shop degraded→up
verdict Shop
  Shop: up; gru degraded for 4m15s (87ms)
