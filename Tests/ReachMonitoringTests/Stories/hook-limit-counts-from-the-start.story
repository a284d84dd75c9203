# A target that was never reachable has been away since the start, not since the verdict.
target NAS hook=up within=10s
NAS xxx xxxxxxx r
  3s  NAS unknown→down
  11s  NAS down→up
  11s  NAS skips up: not reachable within 10s
