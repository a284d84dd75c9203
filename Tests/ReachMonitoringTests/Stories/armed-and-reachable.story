# The target replies: the armed hook runs at once, and is removed.
target NAS
NAS r
  1s  NAS unknown→up
arm NAS 1m
  1s  armed hook up of NAS
NAS xxx r
  4s  NAS up→down
  5s  NAS down→up
