# A reload ends the flapping, and the hooks report the health once; after another reload, counting starts again.
target NAS fall=1 hook=up+down hook=flapping
NAS r x r x r x r x r
  1s  NAS unknown→up
  2s  NAS up→down
  2s  hook down of NAS (up→down)
  3s  NAS down→up
  3s  hook up of NAS (down→up)
  4s  NAS up→down
  4s  hook down of NAS (up→down)
  5s  NAS down→up
  5s  hook up of NAS (down→up)
  6s  NAS up→down
  6s  hook down of NAS (up→down)
  7s  NAS down→up
  7s  NAS flaps, 36%
  7s  hook flapping of NAS
  8s  NAS up→down
  9s  NAS down→up
reload
target NAS fall=1 flapping=false hook=up+down hook=flapping
  9s  NAS flaps no longer, 0%
  9s  hook flapping of NAS
  9s  hook up of NAS (down→up)
NAS x r
  10s  NAS up→down
  10s  hook down of NAS (up→down)
  11s  NAS down→up
  11s  hook up of NAS (down→up)
show NAS
  NAS: up, for 0s, availability 50%, 5 outages, 11 samples
reload
target NAS fall=1 hook=up+down hook=flapping
NAS x r
  12s  NAS up→down
  12s  hook down of NAS (up→down)
  13s  NAS down→up
  13s  hook up of NAS (down→up)
show NAS
  NAS: up, for 0s, availability 50%, 6 outages, 13 samples
