# The switch is paused; the router above it is down, and blocks the NAS.
target Router
target Switch depends_on=Router
target NAS depends_on=Switch
Router r
Switch r
NAS    r
  1s  Router unknown→up
  1s  Switch unknown→up
  1s  NAS unknown→up
pause Switch
Router x x x
  4s  Router up→down
  4s  NAS blocked by Router
show NAS
  NAS: blocked, by Router, for 0s, availability 100%, 1 samples
show Switch
  Switch: paused, for 3s, availability unknown, 1 samples
Router r
NAS    r
  5s  Router down→up
  5s  NAS no longer blocked
