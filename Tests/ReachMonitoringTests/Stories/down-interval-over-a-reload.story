# A reload changes `down_interval` of a target that is down: the new interval applies at once.
requests
target NAS interval=10s down_interval=1s
NAS r x x x
  1s  NAS unknown→up
  2s  · probe NAS every 1s
  4s  NAS up→down
  4s  · probe NAS every 1s, urgent
reload
target NAS interval=20s down_interval=2s
  4s  · watch NAS
  4s  · probe NAS every 2s, urgent
NAS x r
  6s  NAS down→up
  6s  · probe NAS every 20s
