# A vantage point that does not know counts neither way.
target Shop quorum=majority
report Shop fra=unknown nyc=unknown
verdict Shop
wait 15s
report Shop fra=down nyc=unknown sin=12ms
verdict Shop
report Shop syd=down
verdict Shop
