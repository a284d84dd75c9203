# A target that is down is probed every second for ten minutes, then every interval. After a reply it is probed every
# interval at once.
requests
target NAS interval=10s down_interval=1s
NAS r x x x x
  1s  NAS unknown→up
  2s  · probe NAS every 1s
  4s  NAS up→down
  4s  · probe NAS every 1s, urgent
wait 593s
NAS x x x x x x
  10m02s  · probe NAS every 10s
NAS r
  10m05s  NAS down→up
