# One run when flapping begins, one when it ends, none between.
target NAS hook=flapping hook=up+down fall=1
step 30s
NAS r xr xr xr xr xr xr
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
  3m30s  hook flapping of NAS
  4m00s  NAS up→down
  4m30s  NAS down→up
  5m00s  NAS up→down
  5m30s  NAS down→up
  6m00s  NAS up→down
  6m30s  NAS down→up
NAS rrrrrrrrrrrrrrrrrrrrr
  14m30s  NAS flaps no longer, 16%
  14m30s  hook flapping of NAS
  14m30s  hook up of NAS (down→up)
