# From 30 % on the hooks wait; at 20 % they are told once what has become of it.
target NAS fall=1 hook=up+down hook=flapping
NAS r r r r x r x r x r x
  1s  NAS unknown→up
  5s  NAS up→down
  5s  hook down of NAS (up→down)
  6s  NAS down→up
  6s  hook up of NAS (down→up)
  7s  NAS up→down
  7s  hook down of NAS (up→down)
  8s  NAS down→up
  8s  hook up of NAS (down→up)
  9s  NAS up→down
  9s  hook down of NAS (up→down)
  10s  NAS down→up
  10s  NAS flaps
  10s  hook flapping of NAS
  11s  NAS up→down
show NAS
  NAS: down, flapping, for 0s, availability 70%, 4 outages, 11 samples
NAS x x x x x x x x r r r
  20s  NAS down→up
show NAS
  NAS: up, flapping, for 2s, availability 43%, 4 outages, 22 samples
NAS r r r r r r r r r r
  28s  NAS flaps no longer
  28s  hook flapping of NAS
  28s  hook up of NAS (down→up)
show NAS
  NAS: up, for 12s, availability 61%, 4 outages, 32 samples
NAS x
  33s  NAS up→down
  33s  hook down of NAS (up→down)
