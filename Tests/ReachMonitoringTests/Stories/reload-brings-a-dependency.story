# A reload adds a dependency on a target that is down: the child is blocked from then on.
requests
target Switch
target NAS
Switch r x x x
NAS    r . . .
  1s  Switch unknown→up
  1s  NAS unknown→up
  4s  Switch up→down
  4s  · probe Switch every 1s, urgent
reload
target Switch
target NAS depends_on=Switch
show NAS
  4s  NAS blocked by Switch
  4s  · forget NAS
  NAS: blocked, by Switch, for 0s, availability 100%, 1 samples
