# Up within the limit: the armed hook runs once.
target NAS
NAS xxx
  3s  NAS unknown→down
arm NAS 10s
  3s  NAS armed mount
NAS xxxxxxxxx r
  13s  NAS down→up
  13s  armed hook up of NAS (down→up)
NAS xxx r
  16s  NAS up→down
  17s  NAS down→up
