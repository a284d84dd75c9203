# A target that the user has switched off stays so over new settings, and starts from unknown when it is switched on.
requests
target NAS hook=up
NAS r r x x x
  1s  NAS unknown→up
  5s  NAS up→down
  5s  · ask NAS every 1s, urgent
pause NAS
  5s  · leave NAS alone
reload
target NAS hook=up fall=2
target Door
show NAS
  5s  · watch Door
  NAS: paused, for 0s, availability 50%, 1 outage, 5 samples
NAS r
resume NAS
  6s  · watch NAS
  6s  · ask NAS at once
show NAS
  NAS: unknown, for 0s, availability 50%, 1 outage, 5 samples
NAS r
  7s  NAS unknown→up
