# Two parents: either one blocks. When one is back, the other is the blocker.
target A
target B
target NAS depends_on=A,B
A   r x x x . . . r r r
B   r r r r x x x . . r
NAS r
  1s  A unknown→up
  1s  B unknown→up
  1s  NAS unknown→up
  4s  A up→down
  4s  NAS blocked by A
  7s  B up→down
  8s  A down→up
  8s  NAS blocked by B
  10s  B down→up
  10s  NAS no longer blocked
show NAS
  NAS: up, for 9s, availability 100%, 1 samples
NAS r
