# A vantage point that does not know counts neither way.
target Shop quorum=majority
report Shop fra=unknown nyc=unknown
  0s  Shop fault not_reporting
verdict Shop
  Shop: unknown: no vantage point knows the health
wait 15s
report Shop fra=down nyc=unknown sin=12ms
  15s  Shop fault over
  15s  Shop unknown→up
verdict Shop
  Shop: up; fra disagrees for 0s; nyc unknown (12ms), disputed
report Shop syd=down
  15s  Shop up→down
verdict Shop
  Shop: down from 2 of 3: fra, syd for 0s; sin 12ms; nyc unknown, disputed
