# Dependencies work as for other targets, and nothing asks a prober for a target of the fleet.
requests
target Switch fall=1
target Shop quorum=majority depends_on=Switch
Switch r
report Shop fra=12ms nyc=80ms
Switch x
wait 10s
report Shop fra=down nyc=down
Switch r
verdict Shop
