# The switch is down before its children have lost what it takes: they are blocked, and are asked at once when it is back.
requests
target Switch
target NAS depends_on=Switch
Switch  r x x x
NAS     r . x .
  1s  Switch unknown→up
  1s  NAS unknown→up
  3s  · ask Switch at once
  4s  Switch up→down
  4s  NAS blocked by Switch
  4s  · leave NAS alone
  4s  · ask Switch every 1s, urgent
NAS     x x

Switch  r
NAS     r
  7s  Switch down→up
  7s  NAS no longer blocked
  7s  · watch NAS
  7s  · ask NAS at once
  7s  · ask Switch every 1s
