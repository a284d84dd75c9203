# Router, switch and NAS in a chain: the router is down and blocks both others.
target NAS depends_on=Switch
target Switch depends_on=Router
target Router
NAS    r x x x x
Switch r x x x x
Router r x x x
  1s  NAS unknown→up
  1s  Switch unknown→up
  1s  Router unknown→up
  4s  Router up→down
  4s  Switch, NAS blocked by Router
show NAS
  NAS: blocked, by Router, for 1s, availability 100%, 4 samples
show Switch
  Switch: blocked, by Router, for 1s, availability 100%, 4 samples
Router r
NAS    r
Switch r
  6s  Router down→up
  6s  Switch, NAS no longer blocked
