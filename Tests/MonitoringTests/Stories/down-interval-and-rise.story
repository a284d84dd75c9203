# Replies that are not enough yet to be up again come at the shorter of the two intervals.
requests
target NAS interval=10s down_interval=5s retry_interval=1s rise=2
NAS r x x x r x r r
  1s  NAS unknown→up
  2s  · ask NAS every 1s
  4s  NAS up→down
  4s  · ask NAS every 5s, urgent
  5s  · ask NAS every 1s
  6s  · ask NAS every 5s, urgent
  7s  · ask NAS every 1s
  8s  NAS down→up
  8s  · ask NAS every 10s
