# Ten seconds after the start is within ten seconds.
target NAS hook=up within=10s
NAS xxx xxxxxx r
  3s  NAS unknown→down
  10s  NAS down→up
  10s  hook up of NAS (down→up)
