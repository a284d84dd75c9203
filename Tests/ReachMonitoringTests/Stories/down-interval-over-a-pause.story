# A paused target is not probed; after the pause, its outage is probed at `down_interval` again.
requests
target NAS interval=10s down_interval=1s
NAS r x x x
  1s  NAS unknown→up
  2s  · probe NAS every 1s
  4s  NAS up→down
  4s  · probe NAS every 1s, urgent
pause NAS
  4s  · forget NAS
wait 10m
resume NAS
  10m04s  · watch NAS
  10m04s  · probe NAS now
NAS x x x
  10m05s  · probe NAS every 1s, urgent
