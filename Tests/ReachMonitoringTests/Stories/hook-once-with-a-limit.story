# A recovery that came too late does not use up `once`.
target NAS hook=up.once within=10s flapping=false
NAS r xxx
  1s  NAS unknown→up
  4s  NAS up→down
wait 1m
NAS r
  1m05s  NAS down→up
  1m05s  NAS skips up.once: not reachable within 10s
NAS xxx r
  1m08s  NAS up→down
  1m09s  NAS down→up
  1m09s  hook up of NAS (down→up)
succeed
NAS rrrrrrrrrrrrrrrrrrrrr
NAS xxx r
  1m33s  NAS up→down
  1m34s  NAS down→up
