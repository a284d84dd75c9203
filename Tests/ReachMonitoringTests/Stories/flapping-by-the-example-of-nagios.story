# The example of "Detection and Handling of State Flapping": the states t3, t4, t5, t9, t12, t16 and t19 are changes, the
# first of all being t0. Newer changes weigh more: with t16 it is 30 % already, and at the end 34.28 %.
target NAS fall=1 hook=change
step 30s
NAS r r r x r x x x x r r r x x x x r r r x x
  30s  NAS unknown→up
  2m00s  NAS up→down
  2m00s  hook change of NAS (up→down)
  2m30s  NAS down→up
  2m30s  hook change of NAS (down→up)
  3m00s  NAS up→down
  3m00s  hook change of NAS (up→down)
  5m00s  NAS down→up
  5m00s  hook change of NAS (down→up)
  6m30s  NAS up→down
  6m30s  hook change of NAS (up→down)
  8m30s  NAS down→up
  8m30s  NAS flaps, 31%
  10m00s  NAS up→down
show NAS
  NAS: down, flapping, for 30s, availability 50%, 4 outages, 21 samples
