# A block freezes flapping, which continues when the parent is back.
target Switch
target NAS depends_on=Switch fall=1
NAS    rrr xr xr xr xr
Switch rrr rr rr rr rr
  1s  NAS unknown→up
  1s  Switch unknown→up
  4s  NAS up→down
  5s  NAS down→up
  6s  NAS up→down
  7s  NAS down→up
  8s  NAS up→down
  9s  NAS down→up
  9s  NAS flaps, 36%
  10s  NAS up→down
  11s  NAS down→up
show NAS
  NAS: up, flapping, for 0s, availability 60%, 4 outages, 11 samples
Switch x x x
  14s  Switch up→down
  14s  NAS blocked by Switch
show NAS
  NAS: blocked, by Switch, flapping, for 0s, availability 69%, 4 outages, 11 samples
Switch r
NAS    r
  15s  Switch down→up
  15s  NAS no longer blocked
show NAS
  NAS: up, flapping, for 4s, availability 69%, 4 outages, 12 samples
