# A change of address leaves the deferred report of an outage.
target NAS hook=down+up+address cooldown=10m
NAS r xxx r xxx
  1s  NAS unknown→up
  4s  NAS up→down
  4s  hook down of NAS (up→down)
  5s  NAS down→up
  5s  hook up of NAS (down→up)
  8s  NAS up→down
  8s  NAS skips down+up+address: cooling down for another 9m56s
address NAS 192.0.2.5 192.0.2.6
  8s  NAS address 192.0.2.5→192.0.2.6
  8s  hook address of NAS
wait 10m
  10m08s  hook down of NAS (up→down)
