# Every parent must reply before the child's losses count as its own.
target A interval=1m
target B interval=1m
target NAS depends_on=A,B
NAS r x x x
A   r . . . r
B   r . . . x
  1s  NAS unknown→up
  1s  A unknown→up
  1s  B unknown→up
B   r
  6s  NAS up→down
