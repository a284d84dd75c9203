# Neither target ever replied: the parent is down, the child is blocked and stays unknown.
target Switch
target NAS depends_on=Switch
NAS    x x x
Switch x x x
  3s  Switch unknown→down
  3s  NAS blocked by Switch
show NAS
  NAS: blocked, by Switch, for 0s, availability unknown, 3 samples
