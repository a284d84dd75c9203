# Up ten seconds after the first loss: that is within ten seconds.
target NAS hook=up within=10s
NAS r xxx xxxxxxx r
  1s  NAS unknown→up
  4s  NAS up→down
  12s  NAS down→up
  12s  hook up of NAS (down→up)
