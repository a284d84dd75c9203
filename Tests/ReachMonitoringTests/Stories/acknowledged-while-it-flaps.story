# While the target flaps, a reply does not end the acknowledgement; the end of the flapping does.
target NAS fall=1
step 30s
NAS r x r x r x r
  30s  NAS unknown→up
  1m00s  NAS up→down
  1m30s  NAS down→up
  2m00s  NAS up→down
  2m30s  NAS down→up
  3m00s  NAS up→down
  3m30s  NAS down→up
  3m30s  NAS flaps, 36%
NAS x
  4m00s  NAS up→down
acknowledge NAS
  4m00s  NAS acknowledged: known
NAS r r r r r r r r r r r r r r r r r r
  4m30s  NAS down→up
  12m30s  NAS flaps no longer, 16%
  12m30s  NAS acknowledgement ended: up again
