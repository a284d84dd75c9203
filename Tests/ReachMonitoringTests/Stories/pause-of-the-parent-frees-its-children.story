# A paused parent blocks no target. Resumed, it is still down.
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
pause Switch
  4s  NAS no longer blocked
  4s  · forget Switch
  4s  · watch NAS
  4s  · probe NAS now
NAS    r
resume Switch
  5s  NAS blocked by Switch
  5s  · watch Switch
  5s  · probe Switch now
  5s  · forget NAS
show NAS
  NAS: blocked, by Switch, for 0s, availability 100%, 2 samples
