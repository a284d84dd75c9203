# A rule that runs while the target flaps runs at every recovery; the others wait until it is steady.
target NAS hook=up.while_flapping hook=up+down fall=1
NAS r xr xr xr xr xr rrrrrrrrrrrrrrrrrrrrr
  1s  NAS unknown→up
  2s  NAS up→down
  2s  hook down of NAS (up→down)
  3s  NAS down→up
  3s  hook up of NAS (down→up)
  3s  hook up of NAS (down→up)
  4s  NAS up→down
  4s  hook down of NAS (up→down)
  5s  NAS down→up
  5s  hook up of NAS (down→up)
  5s  hook up of NAS (down→up)
  6s  NAS up→down
  6s  hook down of NAS (up→down)
  7s  NAS down→up
  7s  NAS flaps, 36%
  7s  hook up of NAS (down→up)
  8s  NAS up→down
  9s  NAS down→up
  9s  hook up of NAS (down→up)
  10s  NAS up→down
  11s  NAS down→up
  11s  hook up of NAS (down→up)
  32s  NAS flaps no longer, 57%
  32s  hook up of NAS (down→up)
