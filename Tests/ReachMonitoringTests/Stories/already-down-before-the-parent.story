# The child was down before its parent: its outage is its own and continues, and no block is reported.
target Switch hook=down
target NAS depends_on=Switch hook=down+up
NAS    r x x x . . .
Switch r r r r x x x
  1s  NAS unknown→up
  1s  Switch unknown→up
  4s  NAS up→down
  4s  hook down of NAS (up→down)
  7s  Switch up→down
  7s  hook down of Switch (up→down)
show NAS
  NAS: down, since before Switch, for 5s, availability 17%, 1 outage, 4 samples
wait 1m
show NAS
  NAS: down, since before Switch, for 1m05s, availability 2%, 1 outage, 4 samples
Switch r
NAS    x
  1m08s  Switch down→up
show NAS
  NAS: down, for 1m06s, availability 1%, 1 outage, 5 samples
NAS    r
  1m09s  NAS down→up
  1m09s  hook up of NAS (down→up)
show NAS
  NAS: up, for 0s, availability 1%, 1 outage, 6 samples
