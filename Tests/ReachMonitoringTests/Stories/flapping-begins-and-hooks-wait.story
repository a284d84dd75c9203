# From 30 % on the hooks wait; at 20 % they report the health once.
target NAS fall=1 hook=up+down hook=flapping
step 30s
NAS r r r r x r x r x r x
  30s  NAS unknown→up
  2m30s  NAS up→down
  2m30s  hook down of NAS (up→down)
  3m00s  NAS down→up
  3m00s  hook up of NAS (down→up)
  3m30s  NAS up→down
  3m30s  hook down of NAS (up→down)
  4m00s  NAS down→up
  4m00s  hook up of NAS (down→up)
  4m30s  NAS up→down
  4m30s  hook down of NAS (up→down)
  5m00s  NAS down→up
  5m00s  NAS flaps, 36%
  5m00s  hook flapping of NAS
  5m30s  NAS up→down
show NAS
  NAS: down, flapping, for 0s, availability 70%, 4 outages, 11 samples
NAS x x x x x x x x r r r
  10m00s  NAS down→up
show NAS
  NAS: up, flapping, for 1m00s, availability 43%, 4 outages, 22 samples
NAS r r r r r r r r r r
  14m00s  NAS flaps no longer, 17%
  14m00s  hook flapping of NAS
  14m00s  hook up of NAS (down→up)
show NAS
  NAS: up, for 6m00s, availability 61%, 4 outages, 32 samples
NAS x
  16m30s  NAS up→down
  16m30s  hook down of NAS (up→down)
