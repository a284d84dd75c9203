# The child fails while it is blocked: it is down when the parent is back.
target Switch
target NAS depends_on=Switch hook=down
NAS    r . . . . . x x x
Switch r x x x . r r r r
  1s  NAS unknown→up
  1s  Switch unknown→up
  4s  Switch up→down
  4s  NAS blocked by Switch
  6s  Switch down→up
  6s  NAS no longer blocked
  9s  NAS up→down
  9s  hook down of NAS (up→down)
show NAS
  NAS: down, for 2s, availability 67%, 1 outage, 4 samples
