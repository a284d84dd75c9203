# Three outages of 6 s within 36 s, then up for good. The rules that wait report it half a minute later.
target NAS hook=up+down hook=flapping fall=3
NAS r xxxxxx rrrrrr xxxxxx rrrrrr xxxxxx rrrrrrrrrrrrrrrrrrrrrrrrrrrrrr
  1s  NAS unknown→up
  4s  NAS up→down
  4s  hook down of NAS (up→down)
  8s  NAS down→up
  8s  hook up of NAS (down→up)
  16s  NAS up→down
  16s  hook down of NAS (up→down)
  20s  NAS down→up
  20s  hook up of NAS (down→up)
  28s  NAS up→down
  28s  hook down of NAS (up→down)
  32s  NAS down→up
  32s  NAS flaps, 36%
  32s  hook flapping of NAS
  53s  NAS flaps no longer, 36%
  53s  hook flapping of NAS
  53s  hook up of NAS (down→up)
