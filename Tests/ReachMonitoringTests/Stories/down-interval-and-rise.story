# Replies below `rise` come at the shorter of the two intervals.
requests
target NAS interval=10s down_interval=5s retry_interval=1s rise=2
NAS r x x x r x r r
  1s  NAS unknown→up
  2s  · probe NAS every 1s
  4s  NAS up→down
  4s  · probe NAS every 5s, urgent
  5s  · probe NAS every 1s
  6s  · probe NAS every 5s, urgent
  7s  · probe NAS every 1s
  8s  NAS down→up
  8s  · probe NAS every 10s
