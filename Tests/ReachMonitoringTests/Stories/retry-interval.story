# While a verdict is pending, the target is probed more often.
requests
target NAS interval=10s retry_interval=1s
NAS r x r x x x r
  1s  NAS unknown→up
  2s  · probe NAS every 1s
  3s  · probe NAS every 10s
  4s  · probe NAS every 1s
  6s  NAS up→down
  6s  · probe NAS every 1s, urgent
  7s  NAS down→up
  7s  · probe NAS every 10s
