# Rules wait while the target flaps; an armed hook runs at the next reply.
target NAS hook=up fall=1
NAS r xr xr xr xr x
  1s  NAS unknown→up
  2s  NAS up→down
  3s  NAS down→up
  3s  hook up of NAS (down→up)
  4s  NAS up→down
  5s  NAS down→up
  5s  hook up of NAS (down→up)
  6s  NAS up→down
  7s  NAS down→up
  7s  NAS flaps, 36%
  8s  NAS up→down
  9s  NAS down→up
  10s  NAS up→down
arm NAS
  10s  NAS armed mount
NAS r
  11s  NAS down→up
  11s  armed hook up of NAS (down→up)
