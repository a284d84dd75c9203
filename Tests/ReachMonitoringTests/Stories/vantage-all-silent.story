# With every report stale there is no verdict; the next report gives one.
target Shop quorum=majority stale_after=1m hook=down hook=fault hook=change
report Shop fra=down nyc=down sin=9ms
  0s  Shop unknown→down
wait 59s
verdict Shop
  Shop: down from 2 of 3: fra, nyc for 59s; sin 9.0ms, disputed
wait 1s
  1m00s  Shop fault not_reporting
  1m00s  Shop down→unknown
  1m00s  hook fault of Shop (down→unknown)
  1m00s  hook change of Shop (down→unknown)
verdict Shop
  Shop: unknown: none of 3 vantage points reports for 1m00s
show Shop
  Shop: unknown, for 0s, availability 0%, 1 outage, 1 samples
wait 5m
verdict Shop
  Shop: unknown: none of 3 vantage points reports for 6m00s
report Shop fra=12ms
  6m00s  Shop fault over
  6m00s  Shop unknown→up
  6m00s  hook change of Shop (unknown→up)
verdict Shop
  Shop: up; nyc, sin not reporting for 6m00s (12ms)
wait 30s
report Shop fra=12ms nyc=80ms sin=9ms
verdict Shop
  Shop: up (12ms)
