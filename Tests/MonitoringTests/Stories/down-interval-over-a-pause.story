# What is paused needs no probes; after the pause it is down anew, and its recovery is awaited anew.
requests
target NAS interval=10s down_interval=1s
NAS r x x x
  1s  NAS unknown→up
  2s  · ask NAS every 1s
  4s  NAS up→down
  4s  · ask NAS every 1s, urgent
pause NAS
  4s  · leave NAS alone
wait 10m
resume NAS
  10m04s  · watch NAS
  10m04s  · ask NAS at once
NAS x x x
  10m05s  · ask NAS every 1s
  10m07s  NAS unknown→down
  10m07s  · ask NAS every 1s, urgent
