# A number is a least number of witnesses. With fewer that report there is no verdict.
target Shop quorum=2 stale_after=1m hook=fault
report Shop fra=down nyc=80ms sin=90ms
  0s  Shop unknown→up
verdict Shop
  Shop: up; fra disagrees for 0s (90ms), disputed
wait 10s
report Shop nyc=down fra=down sin=91ms
  10s  Shop up→down
verdict Shop
  Shop: down from 2 of 3: fra, nyc for 0s; sin 91ms, disputed
wait 55s
report Shop sin=91ms
verdict Shop
  Shop: down from 2 of 3: fra, nyc for 55s; sin 91ms, disputed
wait 10s
  1m15s  Shop fault not_reporting
  1m15s  Shop down→unknown
  1m15s  hook fault of Shop (down→unknown)
verdict Shop
  Shop: unknown: 1 of 3 vantage points reports, 2 needed; fra, nyc not reporting for 1m05s
report Shop fra=12ms
  1m15s  Shop fault over
  1m15s  Shop unknown→up
verdict Shop
  Shop: up; nyc not reporting for 1m05s (12ms)
