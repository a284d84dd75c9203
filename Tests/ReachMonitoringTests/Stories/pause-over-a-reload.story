# A paused target stays paused over a reload, and keeps its health when it is resumed.
requests
target NAS hook=up
NAS r r x x x
  1s  NAS unknown→up
  5s  NAS up→down
  5s  · probe NAS every 1s, urgent
pause NAS
  5s  · forget NAS
reload
target NAS hook=up fall=2
target Door
show NAS
  5s  · watch Door
  NAS: paused, for 0s, availability 50%, 1 outage, 5 samples
NAS r
resume NAS
  6s  · watch NAS
  6s  · probe NAS now
show NAS
  NAS: down, for 3s, availability 50%, 1 outage, 5 samples
NAS r
  7s  NAS down→up
  7s  hook up of NAS (down→up)
