# A run that was dropped begins no cooldown.
target NAS hook=up cooldown=1m flapping=false
NAS r xxx r
  1s  NAS unknown→up
  4s  NAS up→down
  5s  NAS down→up
  5s  hook up of NAS (down→up)
drop obsolete
NAS xxx r
  8s  NAS up→down
  9s  NAS down→up
  9s  hook up of NAS (down→up)
NAS rrrrrrrrrrrrrrrrrrrrr
NAS xxx r
  33s  NAS up→down
  34s  NAS down→up
  34s  NAS skips up: cooling down for another 35s
