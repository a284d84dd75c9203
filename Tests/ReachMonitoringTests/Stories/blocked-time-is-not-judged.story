# Ten minutes blocked count as neither up nor down: of the rest, the NAS was up for nine of ten seconds.
target Switch
target NAS depends_on=Switch
Switch r r r r r r r x x x
NAS    r r r r r r r . . .
  1s  Switch unknown→up
  1s  NAS unknown→up
  10s  Switch up→down
  10s  NAS blocked by Switch
show NAS
  NAS: blocked, by Switch, for 0s, availability 100%, 7 samples
wait 10m
Switch r
NAS    r
  10m11s  Switch down→up
  10m11s  NAS no longer blocked
show NAS
  NAS: up, for 10m10s, availability 100%, 8 samples
