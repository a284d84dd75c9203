# The example of "Detection and Handling of State Flapping": the states t3, t4, t5, t9, t12, t16 and t19 are changes, the
# first of all being t0. Newer changes weigh more: with t16 it is 30 % already, and at the end 34.28 %.
target NAS fall=1 hook=change
NAS r r r x r x x x x r r r x x x x r r r x x
  1s  NAS unknown→up
  4s  NAS up→down
  4s  hook change of NAS (up→down)
  5s  NAS down→up
  5s  hook change of NAS (down→up)
  6s  NAS up→down
  6s  hook change of NAS (up→down)
  10s  NAS down→up
  10s  hook change of NAS (down→up)
  13s  NAS up→down
  13s  hook change of NAS (up→down)
  17s  NAS down→up
  17s  NAS flaps
  20s  NAS up→down
show NAS
  NAS: down, flapping, for 1s, availability 50%, 4 outages, 21 samples
