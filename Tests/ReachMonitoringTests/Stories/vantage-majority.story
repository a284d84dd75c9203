# Two of three vantage points see the target down. The third one's round trip is told, and the dispute is counted.
target Shop quorum=majority stale_after=10m hook=down hook=up
report Shop fra=11ms nyc=87ms sin=12ms
  0s  Shop unknown→up
verdict Shop
  Shop: up (12ms)
wait 1m
report Shop fra=down nyc=88ms sin=12ms
verdict Shop
  Shop: up; fra disagrees for 0s (88ms), disputed
wait 30s
report Shop fra=down nyc=down sin=12ms
  1m30s  Shop up→down
  1m30s  hook down of Shop (up→down)
verdict Shop
  Shop: down from 2 of 3: fra, nyc for 0s; sin 12ms, disputed
wait 3m
report Shop fra=down nyc=down sin=12ms
verdict Shop
  Shop: down from 2 of 3: fra, nyc for 3m00s; sin 12ms, disputed
show Shop
  Shop: down, for 3m00s, availability 33%, 1 outage, 4 samples
report Shop fra=12ms
verdict Shop
  Shop: down from 2 of 3: fra, nyc for 3m00s; sin 12ms, disputed
wait 1s
report Shop fra=12ms nyc=90ms sin=13ms
  4m31s  Shop down→up
  4m31s  hook up of Shop (down→up)
verdict Shop
  Shop: up (13ms)
