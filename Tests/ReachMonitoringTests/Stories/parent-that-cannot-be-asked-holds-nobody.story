# A fault is this machine's, and is no verdict on the parent: the child's verdict does not wait for it.
target Switch interval=1m
target NAS depends_on=Switch
Switch r
NAS    r x x x
  1s  Switch unknown→up
  1s  NAS unknown→up

Switch f
NAS    r x x x
  5s  Switch fault permission
  5s  NAS up→down
  5s  NAS down→up
  8s  NAS up→down
