# Back ten seconds after it went: that is within ten seconds.
target NAS hook=up within=10s
NAS r xxx xxxxxxxxx r
  1s  NAS unknown→up
  4s  NAS up→down
  14s  NAS down→up
  14s  hook up of NAS (down→up)
