# A reload removes the awaited parent: the verdict is given.
target Switch interval=1m
target NAS depends_on=Switch
Switch r
NAS    r x x x
  1s  Switch unknown→up
  1s  NAS unknown→up
reload
target NAS

  4s  NAS up→down