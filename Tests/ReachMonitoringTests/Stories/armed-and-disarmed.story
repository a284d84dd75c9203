# Disarmed before the target is reachable: the hook never runs.
target NAS
NAS xxx
  3s  NAS unknown→down
arm NAS
  3s  NAS armed mount
disarm NAS
  3s  NAS disarmed mount: disarmed
NAS r
  4s  NAS down→up
