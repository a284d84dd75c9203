# Not reachable at the start, and up within the limit: the hook runs once.
target NAS hook=up.once within=10s
NAS x x x x x r
  3s  NAS unknown→down
  6s  NAS down→up
  6s  hook up of NAS (down→up)
succeed
NAS x x x r
  9s  NAS up→down
  10s  NAS down→up
