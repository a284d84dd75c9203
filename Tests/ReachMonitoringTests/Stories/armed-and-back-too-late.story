# Up only after the limit: the armed hook never runs.
target NAS
NAS xxx
  3s  NAS unknown→down
arm NAS 10s
  3s  NAS armed mount
NAS xxxxxxxxxx r
  14s  NAS down→up
  14s  NAS disarmed mount: not reachable within 10s
