# The recovery between two outages is not reported, the second outage is.
target NAS hook=up+down cooldown=10m flapping=false
NAS r xxx r xxx
  1s  NAS unknown→up
  4s  NAS up→down
  4s  hook down of NAS (up→down)
  5s  NAS down→up
  5s  hook up of NAS (down→up)
  8s  NAS up→down
  8s  NAS skips up+down: cooling down for another 9m56s
wait 9m
NAS r xxx
  9m09s  NAS down→up
  9m12s  NAS up→down
  9m12s  NAS skips up+down: cooling down for another 52s
wait 10m
  19m12s  hook down of NAS (up→down)
