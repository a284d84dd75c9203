# A series that ends is not reported any more, though its vantage point reports on other targets.
target Shop quorum=majority stale_after=1m
report Shop fra=down nyc=80ms
  0s  Shop unknown→up
verdict Shop
  Shop: up; fra disagrees for 0s (80ms), disputed
report Shop fra=gone
verdict Shop
  Shop: up; fra not reporting for 0s (80ms)
reporting fra nyc
verdict Shop
  Shop: up; fra not reporting for 0s (80ms)
wait 30s
report Shop fra=12ms
verdict Shop
  Shop: up (12ms)
