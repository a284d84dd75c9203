# A target behind a switch that is down is not reachable, in any health.
target Switch
target NAS depends_on=Switch
Switch r x x x
NAS    r . . .
  1s  Switch unknown→up
  1s  NAS unknown→up
  4s  Switch up→down
  4s  NAS blocked by Switch
arm NAS
  4s  NAS armed mount
Switch r
NAS    r
  5s  Switch down→up
  5s  NAS no longer blocked
  5s  armed hook up of NAS
