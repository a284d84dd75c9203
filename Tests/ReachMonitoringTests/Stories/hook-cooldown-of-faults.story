# A fault that lasts is reported when the cooldown ends.
target NAS hook=fault cooldown=1m
NAS r fff r fff
  1s  NAS unknown→up
  2s  NAS fault permission
  4s  NAS up→unknown
  4s  hook fault of NAS (up→unknown)
  5s  NAS fault over
  5s  NAS unknown→up
  6s  NAS fault permission
  8s  NAS up→unknown
  8s  NAS skips fault: cooling down for another 56s
wait 1m
  1m08s  hook fault of NAS (up→unknown)
