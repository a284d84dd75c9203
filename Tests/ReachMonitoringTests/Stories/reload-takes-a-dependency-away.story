# A reload removes a dependency: the target is probed at once.
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
reload
target Switch
target NAS
show NAS
  4s  NAS no longer blocked
  4s  · watch NAS
  4s  · probe NAS now
  NAS: up, for 3s, availability 100%, 1 samples
NAS r
