# Recoveries from outages below five seconds do not count; the one of five seconds does.
target NAS hook=up min_down=5s
NAS r xxx x r
  1s  NAS unknown→up
  4s  NAS up→down
  6s  NAS down→up
  6s  NAS skips up: down for 4.0s, less than min_down 5s
NAS xxx xx r
  9s  NAS up→down
  12s  NAS down→up
  12s  hook up of NAS (down→up)
