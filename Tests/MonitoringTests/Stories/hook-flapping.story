# One run when it begins to flap, one when it has settled, none between.
target NAS hook=flapping hook=up+down fall=1
NAS r xr xr xr xr xr xr
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
  7s  hook flapping of NAS
  8s  NAS up→down
  9s  NAS down→up
  10s  NAS up→down
  11s  NAS down→up
  12s  NAS up→down
  13s  NAS down→up
NAS rrrrrrrrrrrrrrrrrrrrr
  29s  NAS flaps no longer
  29s  hook flapping of NAS
  29s  hook up of NAS (down→up)
