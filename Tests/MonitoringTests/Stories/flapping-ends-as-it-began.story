# It flapped and is what the hooks know it to be: they have nothing to learn.
target NAS fall=1 hook=up+down
NAS r x r x r x r x x x x x x x x x x x x x x x x x x x x x
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
  7s  NAS flaps
  8s  NAS up→down
  24s  NAS flaps no longer
show NAS
  NAS: down, for 20s, availability 15%, 4 outages, 28 samples
