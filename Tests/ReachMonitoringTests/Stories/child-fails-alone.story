# The child's verdict waits for the parent's reply, and comes with it.
requests
target Switch interval=1m
target NAS depends_on=Switch hook=down
Switch r
NAS    r x x x x
  1s  Switch unknown→up
  1s  NAS unknown→up
  2s  · probe Switch now
show NAS
  NAS: up, 3/3 toward down, for 4s, availability 100%, 5 samples
Switch r
  6s  NAS up→down
  6s  hook down of NAS (up→down)
  6s  · probe NAS every 1s, urgent
