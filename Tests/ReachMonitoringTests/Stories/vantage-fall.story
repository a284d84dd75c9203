# With a larger fall, the verdict waits for that many new samples; the same sample again does not count.
target Shop quorum=majority fall=2
report Shop fra=12ms nyc=80ms
  0s  Shop unknown→up
wait 10s
report Shop fra=down nyc=down
report Shop fra=down nyc=down
show Shop
  Shop: up, 1/2 toward down, for 10s, availability 100%, 2 samples
verdict Shop
  Shop: down everywhere for 10s
wait 10s
report Shop fra=down
  20s  Shop up→down
verdict Shop
  Shop: down everywhere for 10s
