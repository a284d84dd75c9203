# After a suspend, the reports count until the next ones could arrive.
target Shop quorum=majority stale_after=1m hook=fault
report Shop fra=12ms nyc=80ms
stall 10m
wait 10s
verdict Shop
report Shop fra=13ms
wait 5s
verdict Shop
wait 55s
verdict Shop
