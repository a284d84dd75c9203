# The hook that flapping held back runs with the first probe after a pause, if the health differs from the reported one.
target NAS hook=down+up fall=1
NAS r x r x r x r x r x
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
  7s  NAS flaps, 36%
  8s  NAS up→down
  9s  NAS down→up
  10s  NAS up→down
pause NAS
  10s  NAS flaps no longer, 52%
wait 10s
resume NAS
NAS x x
  21s  hook down of NAS (up→down)
pause NAS
resume NAS
NAS r
  23s  NAS down→up
  23s  hook up of NAS (down→up)
