# When the cooldown ends, the end of flapping is reported.
target NAS hook=flapping cooldown=1m fall=1
NAS r xrxrxr rrrrrrrrrrrrrrrrrrrrr
  1s  NAS unknown→up
  2s  NAS up→down
  3s  NAS down→up
  4s  NAS up→down
  5s  NAS down→up
  6s  NAS up→down
  7s  NAS down→up
  7s  NAS flaps, 36%
  7s  hook flapping of NAS
  28s  NAS flaps no longer, 36%
  28s  NAS skips flapping: cooling down for another 39s
wait 1m
  1m28s  hook flapping of NAS
