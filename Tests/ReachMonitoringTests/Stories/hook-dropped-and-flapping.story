# A run that was dropped before flapping began has reported nothing: the health afterwards is reported.
target NAS fall=1 hook=down
NAS r xrxrx
  1s  NAS unknown→up
  2s  NAS up→down
  2s  hook down of NAS (up→down)
  3s  NAS down→up
  4s  NAS up→down
  4s  hook down of NAS (up→down)
  5s  NAS down→up
  6s  NAS up→down
  6s  hook down of NAS (up→down)
drop obsolete
NAS rxrx
  7s  NAS down→up
  7s  NAS flaps, 36%
  8s  NAS up→down
  9s  NAS down→up
  10s  NAS up→down
step 30s
NAS xxxxxxxxxxxxxxxxxxxxxxxx
  10m10s  NAS flaps no longer, 0%
  10m10s  hook down of NAS (up→down)
wait 1s
