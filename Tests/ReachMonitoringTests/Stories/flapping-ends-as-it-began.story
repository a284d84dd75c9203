# At the end of the flapping, the health is the last reported one: no hook runs for it.
target NAS fall=1 hook=up+down
step 30s
NAS r x r x r x r x x x x x x x x x x x x x x x x x x x x x
  30s  NAS unknown→up
  1m00s  NAS up→down
  1m00s  hook down of NAS (up→down)
  1m30s  NAS down→up
  1m30s  hook up of NAS (down→up)
  2m00s  NAS up→down
  2m00s  hook down of NAS (up→down)
  2m30s  NAS down→up
  2m30s  hook up of NAS (down→up)
  3m00s  NAS up→down
  3m00s  hook down of NAS (up→down)
  3m30s  NAS down→up
  3m30s  NAS flaps, 36%
  4m00s  NAS up→down
  12m00s  NAS flaps no longer, 16%
  12m00s  hook down of NAS (up→down)
show NAS
  NAS: down, for 10m00s, availability 15%, 4 outages, 28 samples
