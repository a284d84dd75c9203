# Flapping detection is off for this target: its hooks report each change, and its neighbour's wait.
target NAS fall=1 flapping=false hook=up+down hook=flapping
target Web fall=1 hook=up+down
NAS r r r x r x r x r x
Web r r r x r x r x r x
  1s  NAS unknown→up
  1s  Web unknown→up
  4s  NAS up→down
  4s  hook down of NAS (up→down)
  4s  Web up→down
  4s  hook down of Web (up→down)
  5s  NAS down→up
  5s  hook up of NAS (down→up)
  5s  Web down→up
  5s  hook up of Web (down→up)
  6s  NAS up→down
  6s  hook down of NAS (up→down)
  6s  Web up→down
  6s  hook down of Web (up→down)
  7s  NAS down→up
  7s  hook up of NAS (down→up)
  7s  Web down→up
  7s  hook up of Web (down→up)
  8s  NAS up→down
  8s  hook down of NAS (up→down)
  8s  Web up→down
  8s  hook down of Web (up→down)
  9s  NAS down→up
  9s  hook up of NAS (down→up)
  9s  Web down→up
  9s  Web flaps, 36%
  10s  NAS up→down
  10s  hook down of NAS (up→down)
  10s  Web up→down
