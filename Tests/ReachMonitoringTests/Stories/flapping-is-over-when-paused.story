# A pause ends flapping without a hook; after it, counting starts again.
target NAS hook=flapping fall=1
NAS r x r x r x r x r x
  1s  NAS unknown→up
  2s  NAS up→down
  3s  NAS down→up
  4s  NAS up→down
  5s  NAS down→up
  6s  NAS up→down
  7s  NAS down→up
  7s  NAS flaps, 36%
  7s  hook flapping of NAS
  8s  NAS up→down
  9s  NAS down→up
  10s  NAS up→down
pause NAS
  10s  NAS flaps no longer, 52%
resume NAS
NAS r
  11s  NAS down→up
show NAS
  NAS: up, for 0s, availability 50%, 5 outages, 11 samples
