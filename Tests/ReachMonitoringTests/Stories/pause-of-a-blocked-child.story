# Paused takes precedence over blocked. Resumed while the parent is down, the child is blocked again, and probed when
# the parent is back.
requests
target Switch
target NAS depends_on=Switch
Switch r x x x
NAS    r . . .
  1s  Switch unknown→up
  1s  NAS unknown→up
  4s  Switch up→down
  4s  NAS blocked by Switch
  4s  · forget NAS
  4s  · probe Switch every 1s, urgent
pause NAS
show NAS
  NAS: paused, for 0s, availability 100%, 1 samples
resume NAS
  4s  NAS blocked by Switch
show NAS
  NAS: blocked, by Switch, for 0s, availability 100%, 1 samples
Switch r
NAS    r
  5s  Switch down→up
  5s  NAS no longer blocked
  5s  · watch NAS
  5s  · probe NAS now
  5s  · probe Switch every 1s
