# What was said holds as long as its vantage point reports; one that returns needs a new report.
target Shop quorum=majority stale_after=1m
report Shop fra=12ms nyc=80ms
  0s  Shop unknown→up
wait 50s
reporting fra nyc
wait 50s
verdict Shop
  Shop: up (12ms)
reporting fra
wait 50s
verdict Shop
  Shop: up; nyc not reporting for 1m40s (12ms)
reporting fra
wait 1m
  3m30s  Shop fault not_reporting
  3m30s  Shop up→unknown
verdict Shop
  Shop: unknown: none of 2 vantage points reports for 1m00s
reporting fra nyc
verdict Shop
  Shop: unknown: none of 2 vantage points reports for 1m00s
report Shop nyc=80ms
  3m30s  Shop fault over
  3m30s  Shop unknown→up
verdict Shop
  Shop: up; fra not reporting for 1m00s (80ms)
report Shop fra=12ms
verdict Shop
  Shop: up (12ms)
