# No reply within the limit: the armed hook expires, and that is reported.
target NAS
NAS xxx
  3s  NAS unknown→down
arm NAS 10s
  3s  NAS armed mount
wait 10s
wait 1s
  14s  NAS disarmed mount: not reachable within 10s
NAS r
  15s  NAS down→up
