# An outage is one change to down and one to up, and two of them are not flapping.
target NAS lossy=0.05 hook=up.while_flapping
NAS rrrrrrrrrrrrrrrrrrrrrr xxxxx rrrrrrrrrrrrrrrrrrrrrrrrrrrr
  1s  NAS unknown→up
  25s  NAS up→down
  28s  NAS down→up
  28s  hook up of NAS (down→up)
wait 6m
NAS xxxxx rrrrrrrrrrrrrrrrrrrrrrrrrrrrrr
  6m58s  NAS up→down
  7m01s  NAS down→up
  7m01s  hook up of NAS (down→up)
