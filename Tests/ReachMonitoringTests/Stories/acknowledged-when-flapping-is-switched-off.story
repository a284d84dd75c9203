# The settings end the flapping of a target that is up, and so its acknowledgement.
target NAS fall=1
step 30s
NAS r x r x r x r x r
  30s  NAS unknown→up
  1m00s  NAS up→down
  1m30s  NAS down→up
  2m00s  NAS up→down
  2m30s  NAS down→up
  3m00s  NAS up→down
  3m30s  NAS down→up
  3m30s  NAS flaps, 36%
  4m00s  NAS up→down
  4m30s  NAS down→up
acknowledge NAS
  4m30s  NAS acknowledged: known
reload
target NAS fall=1 flapping=false
wait 1s
  4m30s  NAS flaps no longer, 0%
  4m30s  NAS acknowledgement ended: up again
