# Outages of three losses, fifteen seconds apart: at the third, the target is flapping.
target NAS hook=down
NAS r xxxx rrrrrrrrrrrr xxxx rrrrrrrrrrrr xxxx rrrrrrrrrrrr
  1s  NAS unknown→up
  4s  NAS up→down
  4s  hook down of NAS (up→down)
  6s  NAS down→up
  20s  NAS up→down
  20s  hook down of NAS (up→down)
  22s  NAS down→up
  36s  NAS up→down
  36s  hook down of NAS (up→down)
  38s  NAS down→up
  38s  NAS flaps, 36%
show NAS
  NAS: up, flapping, for 11s, availability 75%, 3 outages, 49 samples
