# A sample that is stale on arrival judges nothing; an old sample does not replace a newer one.
target Shop quorum=majority stale_after=1m
report Shop 2m fra=down nyc=down
  0s  Shop fault not_reporting
verdict Shop
  Shop: unknown: none of 2 vantage points reports for 2m00s
report Shop 30s fra=12ms
  0s  Shop fault over
  0s  Shop unknown→up
report Shop 40s fra=down
verdict Shop
  Shop: up; nyc not reporting for 2m00s (12ms)
wait 20s
verdict Shop
  Shop: up; nyc not reporting for 2m20s (12ms)
wait 10s
  30s  Shop fault not_reporting
  30s  Shop up→unknown
verdict Shop
  Shop: unknown: none of 2 vantage points reports for 1m00s
