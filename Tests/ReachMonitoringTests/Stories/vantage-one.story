# With one vantage point, its word is the verdict.
target Shop quorum=majority stale_after=1m
report Shop fra=20ms
  0s  Shop unknown→up
verdict Shop
  Shop: up (20ms)
wait 10s
report Shop fra=down:timeout
  10s  Shop up→down
wait 10s
verdict Shop
  Shop: down from fra for 10s: timeout
wait 1m
  1m20s  Shop fault not_reporting
  1m20s  Shop down→unknown
verdict Shop
  Shop: unknown: fra not reporting for 1m10s
