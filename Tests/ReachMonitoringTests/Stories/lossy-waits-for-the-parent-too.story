# Three losses in twenty exceed the NAS's limit, but they are the switch's.
target Switch interval=1m
target NAS depends_on=Switch lossy=0.1 hook=degraded
Switch r
NAS    rrrrrrrrrrrrrrrrr x r x r x
  1s  Switch unknown→up
  1s  NAS unknown→up

Switch x x x
  25s  Switch up→down
  25s  NAS blocked by Switch
