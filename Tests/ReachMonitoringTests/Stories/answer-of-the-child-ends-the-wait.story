# The child replies while its verdict waits: there is none.
target Switch interval=1m
target NAS depends_on=Switch
Switch r
NAS    r x x x r
  1s  Switch unknown→up
  1s  NAS unknown→up
Switch r
NAS    x x
show NAS
  NAS: up, 2/3 toward down, for 6s, availability 100%, 7 samples
