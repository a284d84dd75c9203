# The switch was down before the router: the NAS is blocked by the switch, which is nearer.
target Router
target Switch depends_on=Router
target NAS depends_on=Switch
NAS    r . . . . . .
Switch r x x x . . .
Router r r r r x x x
  1s  NAS unknown→up
  1s  Switch unknown→up
  1s  Router unknown→up
  4s  Switch up→down
  4s  NAS blocked by Switch
  7s  Router up→down
show Switch
  Switch: down, since before Router, for 5s, availability 17%, 1 outage, 4 samples
show NAS
  NAS: blocked, by Switch, for 3s, availability 100%, 1 samples
Router r
  8s  Router down→up
show NAS
  NAS: blocked, by Switch, for 4s, availability 100%, 1 samples
Switch r
  9s  Switch down→up
  9s  NAS no longer blocked
show NAS
  NAS: up, for 8s, availability 100%, 1 samples
