# An armed hook survives a reload that keeps its target.
target NAS
target Web
NAS xxx
Web xxx
  3s  NAS unknown→down
  3s  Web unknown→down
arm NAS Web
  3s  NAS armed mount
  3s  Web armed mount
reload
target NAS fall=5
  3s  Web disarmed mount: target removed from the settings
NAS r
  4s  NAS down→up
  4s  armed hook up of NAS (down→up)
