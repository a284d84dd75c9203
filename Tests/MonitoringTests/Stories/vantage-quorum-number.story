# A number is a least number of witnesses. With fewer that report there is no verdict.
target Shop quorum=2 stale_after=1m hook=fault
report Shop fra=down nyc=80ms sin=90ms
verdict Shop
wait 10s
report Shop nyc=down fra=down sin=91ms
verdict Shop
wait 55s
report Shop sin=91ms
verdict Shop
wait 10s
verdict Shop
report Shop fra=12ms
verdict Shop
