# Two replies to be up again, four losses to be down; the first reply ever is enough.
target NAS rise=2 fall=4 hook=up+down
NAS r x x x r x x x x r x r r
  1s  NAS unknown→up
  9s  NAS up→down
  9s  hook down of NAS (up→down)
  13s  NAS down→up
  13s  hook up of NAS (down→up)
show NAS
  NAS: up, for 1s, availability 50%, 1 outage, 13 samples
