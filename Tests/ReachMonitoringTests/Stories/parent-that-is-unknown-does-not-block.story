# A parent without a verdict: the child is judged as soon as it replies.
target Switch
target NAS depends_on=Switch
NAS    x x x
show NAS
  NAS: unknown, 3/3 toward down, for 3s, availability unknown, 3 samples
Switch r
  4s  Switch unknown→up
  4s  NAS unknown→down
