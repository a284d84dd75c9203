# A switch and its three children fail together, and the children lose first. Only the switch is down, and only its
# hook runs.
target Switch hook=down+up
target NAS depends_on=Switch hook=change
target Printer depends_on=Switch hook=change
target Camera depends_on=Switch hook=change
NAS     r x x x x
Printer r x x x x
Camera  r x x x x
Switch  r x x x .
  1s  NAS unknown→up
  1s  Printer unknown→up
  1s  Camera unknown→up
  1s  Switch unknown→up
  4s  Switch up→down
  4s  NAS, Printer, Camera blocked by Switch
  4s  hook down of Switch (up→down)
show NAS
  NAS: blocked, by Switch, for 1s, availability 100%, 4 samples
show Switch
  Switch: down, for 3s, availability 25%, 1 outage, 4 samples
wait 1m
NAS     r
Switch  r
  1m06s  Switch down→up
  1m06s  NAS, Printer, Camera no longer blocked
  1m06s  hook up of Switch (down→up)
NAS     r
Printer r
Camera  r
show NAS
  NAS: up, for 1m06s, availability 100%, 5 samples
