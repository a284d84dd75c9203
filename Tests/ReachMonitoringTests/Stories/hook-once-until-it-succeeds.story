# A success disarms a rule that runs once, a failure does not.
target NAS hook=up.once flapping=false
NAS xxx r
  3s  NAS unknown→down
  4s  NAS down→up
  4s  hook up of NAS (down→up)
fail
NAS xxx r
  7s  NAS up→down
  8s  NAS down→up
  8s  hook up of NAS (down→up)
succeed
NAS xxx r
  11s  NAS up→down
  12s  NAS down→up
