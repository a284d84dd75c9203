# With a larger fall, the verdict waits for that many new samples; the same sample again does not count.
target Shop quorum=majority fall=2
report Shop fra=12ms nyc=80ms
wait 10s
report Shop fra=down nyc=down
report Shop fra=down nyc=down
show Shop
verdict Shop
wait 10s
report Shop fra=down
verdict Shop
