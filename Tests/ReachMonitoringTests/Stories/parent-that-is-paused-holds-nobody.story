# The parent is paused while the child's verdict waits for it: the verdict is given.
target Switch
target NAS depends_on=Switch
Switch r
NAS    r x x x
  1s  Switch unknown→up
  1s  NAS unknown→up
pause Switch
  4s  NAS up→down
