# A first verdict of degraded is the first verdict: only rules with at_start run.
target NAS slow=500ms hook=degraded hook=degraded.start
NAS sssss
  1s  NAS unknown→degraded
  1s  hook degraded of NAS (unknown→degraded)
