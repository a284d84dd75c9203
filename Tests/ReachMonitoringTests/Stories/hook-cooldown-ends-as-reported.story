# Down and up again within the cooldown: the last report is still true, and nothing is reported.
target NAS hook=down+up cooldown=1m
NAS r xxx r
  1s  NAS unknown→up
  4s  NAS up→down
  4s  hook down of NAS (up→down)
  5s  NAS down→up
  5s  hook up of NAS (down→up)
NAS xxx r
  8s  NAS up→down
  8s  NAS skips down+up: cooling down for another 56s
  9s  NAS down→up
wait 1m
wait 1m
