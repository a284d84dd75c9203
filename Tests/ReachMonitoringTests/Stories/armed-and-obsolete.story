# The target went down again before the run started: the hook stays armed.
target NAS
arm NAS
  0s  NAS armed mount
NAS r
  1s  NAS unknown→up
  1s  armed hook up of NAS (unknown→up)
NAS xxx
  4s  NAS up→down
drop obsolete
NAS r
  5s  NAS down→up
  5s  armed hook up of NAS (down→up)
succeed
NAS xxx r
  8s  NAS up→down
  9s  NAS down→up
