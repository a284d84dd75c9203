# Within a minute after a run the rule waits. A recovery that it did not report is reported when the cooldown ends.
target NAS hook=up cooldown=1m flapping=false
NAS r xxx r
  1s  NAS unknown→up
  4s  NAS up→down
  5s  NAS down→up
  5s  hook up of NAS (down→up)
NAS xxx r
  8s  NAS up→down
  9s  NAS down→up
  9s  NAS skips up: cooling down for another 56s
NAS rrrrrrrrrrrrrrrrrrrrr
wait 1m
  1m30s  hook up of NAS (down→up)
NAS xxx r
  1m33s  NAS up→down
  1m34s  NAS down→up
  1m34s  NAS skips up: cooling down for another 56s
