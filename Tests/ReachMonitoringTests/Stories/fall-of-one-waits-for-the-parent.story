# With a fall of one, the verdict still waits for the parent.
target Switch interval=1m fall=1
target NAS depends_on=Switch fall=1 hook=down
Switch r
NAS    r x
  1s  Switch unknown→up
  1s  NAS unknown→up

Switch x
  3s  Switch up→down
  3s  NAS blocked by Switch
Switch r
NAS    r x
  4s  Switch down→up
  4s  NAS no longer blocked
Switch r
  6s  NAS up→down
  6s  hook down of NAS (up→down)
