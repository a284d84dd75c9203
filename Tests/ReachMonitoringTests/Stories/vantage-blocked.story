# Dependencies work as for other targets, and nothing asks a prober for a target of the fleet.
requests
target Switch fall=1
target Shop quorum=majority depends_on=Switch
Switch r
  1s  Switch unknown→up
report Shop fra=12ms nyc=80ms
  1s  Shop unknown→up
Switch x
  2s  Switch up→down
  2s  Shop blocked by Switch
  2s  · forget Shop
  2s  · probe Switch every 1s, urgent
wait 10s
report Shop fra=down nyc=down
Switch r
  13s  Switch down→up
  13s  Shop no longer blocked
  13s  Shop up→down
  13s  · probe Switch now
  13s  · probe Switch every 1s
verdict Shop
  Shop: down everywhere for 1s
