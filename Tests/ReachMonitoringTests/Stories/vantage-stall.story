# After a suspend, the reports count until the next ones could arrive.
target Shop quorum=majority stale_after=1m hook=fault
report Shop fra=12ms nyc=80ms
  0s  Shop unknown→up
stall 10m
  10m00s  not running for 10m00s: probes of that time are ignored
wait 10s
verdict Shop
  Shop: up (12ms)
report Shop fra=13ms
wait 5s
verdict Shop
  Shop: up; nyc not reporting for 10m15s (13ms)
wait 55s
  11m10s  Shop fault not_reporting
  11m10s  Shop up→unknown
  11m10s  hook fault of Shop (up→unknown)
verdict Shop
  Shop: unknown: none of 2 vantage points reports for 1m00s
