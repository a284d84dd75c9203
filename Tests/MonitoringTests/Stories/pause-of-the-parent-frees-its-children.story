# A parent that is switched off blocks nobody.
requests
target Switch
target NAS depends_on=Switch
Switch r x x x
NAS    r . . .
  1s  Switch unknown→up
  1s  NAS unknown→up
  4s  Switch up→down
  4s  NAS blocked by Switch
  4s  · leave NAS alone
  4s  · ask Switch every 1s, urgent
pause Switch
  4s  NAS no longer blocked
  4s  · leave Switch alone
  4s  · watch NAS
  4s  · ask NAS at once
NAS    r
resume Switch
  5s  · watch Switch
  5s  · ask Switch at once
show NAS
  NAS: up, for 4s, availability 100%, 2 samples
