# Armed for several targets, each hook runs when its target is reachable.
target NAS
target Web
NAS xxx r
Web xxx .
  3s  NAS unknown→down
  3s  Web unknown→down
  4s  NAS down→up
arm NAS Web 1m
  4s  Web armed mount
  4s  armed hook up of NAS
Web r
  5s  Web down→up
  5s  armed hook up of Web (down→up)
